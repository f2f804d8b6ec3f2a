#include "viz/canvas/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/files/files.h"
#include "viz/canvas/glyphs.h"
#include "viz/canvas/gnuplot.h"
#include "viz/images/pixels.h"

namespace ansatz::viz {
namespace {

constexpr double kPixelsPerUnit = 2;
constexpr double kUnitsPerInch = 100;
constexpr double kPointsPerUnit = 72 / kUnitsPerInch;
constexpr double kCairoFontScale = kPixelsPerUnit * 72 / 96;  ///< pngcairo takes sizes in points of 96 dpi

std::string number(double value) { return std::isnan(value) ? "NaN" : fmt::format("{:.10g}", value); }

std::string font(const TextStyle& style) {
  return gnuplot_string(fmt::format("{}{},{:g}", kFontName, style.bold ? ":Bold" : "", style.size));
}

const char* name_of(Align align) { return align == Align::left ? "left" : align == Align::center ? "center" : "right"; }

/// An image that gnuplot can draw: it needs at least two pixels each way.
Image drawable(const Image& image) { return image.height < 2 || image.width < 2 ? enlarge(image, 2) : image; }

}  // namespace

// The fonts of an SVG are those of whoever looks at it; the other formats are drawn with those of this machine.
void Canvas::text(double x, double y, const std::string& text, const TextStyle& style) {
  steps_.push_back({fmt::format("set label {} at {},{} {}{} font {} textcolor rgb '{}' noenhanced front\n",
                                gnuplot_string(with_boxes(text, installed_glyphs())), number(x), number(y),
                                name_of(style.align), style.rotated ? " rotate by 90" : "", font(style), style.color),
                    Kind::mark});
  svg_.text(x, y, text, style);
}

double Canvas::lines(double x, double y, const std::vector<std::string>& lines, const TextStyle& style) {
  for (const std::string& line : lines) {
    text(x, y, line, style);
    y += kLineSpacing * style.size;
  }
  return y;
}

void Canvas::line(double x1, double y1, double x2, double y2, const std::string& color, double width, int dash) {
  steps_.push_back(
      {fmt::format("set arrow from {},{} to {},{} nohead linewidth {} dashtype {} linecolor rgb '{}' front\n",
                   number(x1), number(y1), number(x2), number(y2), number(width), dash, color),
       Kind::mark});
  svg_.line(x1, y1, x2, y2, color, width, dash);
}

void Canvas::rectangle(const Rect& r, const std::string& fill, const std::string& value) {
  steps_.push_back(
      {fmt::format("set object rectangle from {},{} to {},{} fillcolor rgb '{}' fillstyle solid 1 noborder front\n",
                   number(r.x), number(r.y), number(r.right()), number(r.bottom()), fill),
       Kind::fill});
  svg_.rectangle(r, fill, value);
}

void Canvas::frame(const Rect& r, const std::string& color, double width) {
  steps_.push_back(
      {fmt::format("set object rectangle from {},{} to {},{} fillstyle empty border rgb '{}' linewidth {} front\n",
                   number(r.x), number(r.y), number(r.right()), number(r.bottom()), color, number(width)),
       Kind::mark});
  svg_.frame(r, color, width);
}

void Canvas::marker(double x, double y, const CurveStyle& style) {
  steps_.push_back({fmt::format("set label '' at {},{} point pointtype {} pointsize {} linecolor rgb '{}' front\n",
                                number(x), number(y), style.marker, number(kMarkerSize), style.color),
                    Kind::mark});
  svg_.marker(x, y, style);
}

std::string Canvas::margins(const Rect& r) const {
  return fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset tmargin at screen {}\nset bmargin at screen {}\n",
      number(r.x / width_), number(r.right() / width_), number(1 - r.y / height_), number(1 - r.bottom() / height_));
}

void Canvas::image(const Rect& rect, const Image& image) {
  images_.push_back(drawable(image));
  const Image& stored = images_.back();
  steps_.push_back(
      {margins(rect) + fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n"
                                   "plot 'image{}.rgb' binary array=({},{}) format='%uchar' with rgbimage\n",
                                   stored.width - 0.5, stored.height - 0.5, images_.size() - 1, stored.width,
                                   stored.height),
       Kind::plot});
  svg_.image(rect, image);
}

std::string Canvas::place_of(const Rect& area, const Axis& x_axis, const Axis& y_axis) const {
  std::string commands = margins(area);
  for (const auto& [name, axis] : {std::pair("x", x_axis), std::pair("y", y_axis)})
    commands += fmt::format("{} logscale {}\nset {}range [{}:{}]\n", axis.log ? "set" : "unset", name, name,
                            number(axis.low), number(axis.high));
  return commands;
}

std::string Canvas::add_data(const std::vector<const std::vector<double>*>& columns) {
  const std::string block = fmt::format("$data{}", blocks_++);
  data_blocks_ += block + " << END\n";
  std::size_t rows = columns.front()->size();
  for (const std::vector<double>* column : columns) rows = std::min(rows, column->size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (const std::vector<double>* column : columns)
      data_blocks_ += (column == columns.front() ? "" : " ") + number((*column)[i]);
    data_blocks_ += '\n';
  }
  data_blocks_ += "END\n";
  return block;
}

void Canvas::curve(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                   const std::vector<double>& y, const CurveStyle& style, const std::vector<std::string>& values) {
  const std::string block = add_data({&x, &y});
  std::string commands = place_of(area, x_axis, y_axis) +
                         fmt::format("plot {} using 1:2 with {} linewidth {} dashtype {} linecolor rgb '{}'", block,
                                     style.line ? style.markers ? "linespoints" : "lines" : "points",
                                     number(style.width), style.dash, style.color);
  if (style.markers || !style.line)
    commands += fmt::format(" pointtype {} pointsize {}", style.marker, number(kMarkerSize));
  steps_.push_back({commands + "\nunset logscale\n", Kind::plot});
  svg_.curve(area, x_axis, y_axis, x, y, style, values);
}

void Canvas::band(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                  const std::vector<double>& low, const std::vector<double>& high, const std::string& color) {
  const std::string block = add_data({&x, &low, &high});
  const int transparency = static_cast<int>(std::lround(255 * (1 - kBandOpacity)));
  steps_.push_back({place_of(area, x_axis, y_axis) +
                        fmt::format("plot {} using 1:2:3 with filledcurves fillcolor rgb '#{:02x}{}' fillstyle solid "
                                    "noborder\nunset logscale\n",
                                    block, transparency, color.substr(1)),
                    Kind::plot});
  svg_.band(area, x_axis, y_axis, x, low, high, color);
}

std::string Canvas::body() const {
  const std::string whole = margins({0, 0, width_, height_}) +
                            fmt::format("set xrange [0:{}]\nset yrange [{}:0]\n", number(width_), number(height_));
  const std::string flush = whole + "plot NaN\nunset label\nunset arrow\nunset object\n";
  std::string out;
  Kind last = Kind::plot;
  for (const Step& step : steps_) {
    if (last != Kind::plot && (step.kind == Kind::plot || (step.kind == Kind::fill && last == Kind::mark)))
      out += flush;
    last = step.kind;
    out += step.commands;
  }
  return last == Kind::plot ? out : out + flush;
}

// The same sizes in both formats: of text, and of lines and points, which cairo's PDF counts in other units.
std::string Canvas::terminal(FigureFormat format) const {
  const std::string sizes =
      format == FigureFormat::png
          ? fmt::format("size {0:.0f},{1:.0f} fontscale {2} linewidth {3} pointscale {3}", kPixelsPerUnit * width_,
                        kPixelsPerUnit * height_, kCairoFontScale, kPixelsPerUnit)
          : fmt::format("size {}in,{}in fontscale {} linewidth {} pointscale {}", width_ / kUnitsPerInch,
                        height_ / kUnitsPerInch, kPointsPerUnit * 72 / 96, 2 * kPointsPerUnit, kPointsPerUnit);
  return fmt::format("set terminal {} {} font '{},11' noenhanced background '{}'\n", terminal_of(format), sizes,
                     kFontName, kPaper);
}

std::string Canvas::drawn_by_gnuplot(FigureFormat format) const {
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const std::vector<std::uint8_t>& rgb = images_[i].rgb;
    folder.write(fmt::format("image{}.rgb", i),
                 std::string_view(reinterpret_cast<const char*>(rgb.data()), rgb.size()));
  }
  const std::string file = "figure" + extension_of(format);
  run_gnuplot(fmt::format("set encoding utf8\ncd {}\n", gnuplot_string(folder.path().string())) + data_blocks_ +
                  terminal(format) + "set output '" + file + "'\nset multiplot\nunset key\nunset tics\nunset border\n" +
                  body() + "unset multiplot\nunset output\n",
              folder);
  const std::string bytes = read_file(folder.path() / file);
  return format == FigureFormat::png ? with_density(bytes, kPixelsPerUnit * kUnitsPerInch) : bytes;
}

void Canvas::save(const FigureFiles& files) const {
  std::vector<std::string> drawn;
  for (const FigureFormat format : files.formats)
    drawn.push_back(format == FigureFormat::svg ? svg_.finished(width_, height_) : drawn_by_gnuplot(format));
  for (std::size_t i = 0; i < drawn.size(); ++i)
    write_file_atomically(files.path(files.formats[i]), std::string_view(drawn[i]));
}

}  // namespace ansatz::viz
