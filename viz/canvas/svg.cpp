#include "viz/canvas/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/base64.h"
#include "viz/images/pixels.h"

namespace ansatz::viz {
namespace {

constexpr double kMarkerRadius = 3, kTouchRadius = 6;
constexpr std::size_t kMostValues =
    240;  ///< points of a curve that tell their values; of longer ones every second, ...

/// Hundredths of a unit are enough, and what lies far outside need not be exact.
std::string number(double value) { return fmt::format("{:g}", std::round(std::clamp(value, -1e4, 1e4) * 100) / 100); }

/// Text as it is: nothing in it is markup, and control characters are spaces.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += (byte < 32 && c != '\n') || byte == 127 ? ' ' : c;
  }
  return out;
}

std::string title(const std::string& value) { return value.empty() ? "" : "<title>" + escaped(value) + "</title>"; }

std::string dashes(int dash) {
  static constexpr const char* kPatterns[] = {"", "7 4", "1.5 3", "7 3 1.5 3"};
  return dash <= 1 ? "" : fmt::format(" stroke-dasharray=\"{}\"", kPatterns[(dash - 1) % 4]);
}

std::string place(const Rect& rect) {
  return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(rect.x), number(rect.y), number(rect.width),
                     number(rect.height));
}

/// gnuplot's point types: 4, 6, 8, 12 are the outlines of 5 (square), 7 (circle), 9 (triangle), 13 (diamond).
std::string marker_element(double x, double y, const CurveStyle& style) {
  const bool filled = style.marker % 2 == 1;
  const std::string paint = filled ? fmt::format("fill=\"{}\"", style.color)
                                   : fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"", style.color);
  const int outline = style.marker - (filled ? 1 : 0);
  const double r = kMarkerRadius;
  if (outline == 6) return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>", number(x), number(y), r, paint);
  const std::vector<std::pair<double, double>> corners =
      outline == 4   ? std::vector<std::pair<double, double>>{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}
      : outline == 8 ? std::vector<std::pair<double, double>>{{0, -1.15}, {1.05, 0.75}, {-1.05, 0.75}}
                     : std::vector<std::pair<double, double>>{{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
  std::string points;
  for (const auto& [dx, dy] : corners) points += number(x + r * dx) + "," + number(y + r * dy) + " ";
  points.pop_back();
  return fmt::format("<polygon points=\"{}\" {}/>", points, paint);
}

/// Points in the area's own coordinates; those that cannot be drawn are NaN.
std::vector<std::pair<double, double>> points_in(const Rect& area, const Axis& x_axis, const Axis& y_axis,
                                                 const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    points.emplace_back(x_axis.position(x[i]) * area.width, (1 - y_axis.position(y[i])) * area.height);
  return points;
}

bool can_be_drawn(const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second);
}

bool is_within(const std::pair<double, double>& point, const Rect& area) {
  constexpr double kSlack = 1e-6;
  return point.first >= -kSlack && point.first <= area.width + kSlack && point.second >= -kSlack &&
         point.second <= area.height + kSlack;
}

std::string path_through(const std::vector<std::pair<double, double>>& points) {
  std::string path;
  bool pen_down = false;
  for (const auto& point : points) {
    const bool drawn = can_be_drawn(point);
    if (drawn) path += (pen_down ? "L" : "M") + number(point.first) + "," + number(point.second);
    pen_down = drawn;
  }
  return path;
}

}  // namespace

void Svg::text(double x, double y, const std::string& text, const TextStyle& style) {
  static constexpr const char* kAnchors[] = {"start", "middle", "end"};
  const std::string turn =
      style.rotated ? fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y)) : std::string();
  elements_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" dy=\".35em\" font-size=\"{:g}\"{} text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
      number(x), number(y), style.size, style.bold ? " font-weight=\"bold\"" : "",
      kAnchors[static_cast<int>(style.align)], style.color, turn, escaped(text));
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string& color, double width, int dash) {
  elements_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n",
                           number(x1), number(y1), number(x2), number(y2), color, width, dashes(dash));
}

void Svg::rectangle(const Rect& rect, const std::string& fill, const std::string& value) {
  elements_ += fmt::format("<rect {} fill=\"{}\">{}</rect>\n", place(rect), fill, title(value));
}

void Svg::value(const Rect& rect, const std::string& value) {
  elements_ += fmt::format("<rect {} fill-opacity=\"0\">{}</rect>\n", place(rect), title(value));
}

void Svg::frame(const Rect& rect, const std::string& color, double width) {
  elements_ += fmt::format("<rect {} fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n", place(rect), color, width);
}

void Svg::marker(double x, double y, const CurveStyle& style) { elements_ += marker_element(x, y, style) + "\n"; }

void Svg::image(const Rect& rect, const Image& image) {
  elements_ += fmt::format(
      "<image {} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
      "xlink:href=\"data:image/png;base64,{}\"/>\n",
      place(rect), base64(encode_png(image)));
}

void Svg::curve(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
                const std::vector<double>& y, const CurveStyle& style, const std::vector<std::string>& values) {
  const std::vector<std::pair<double, double>> points = points_in(area, x_axis, y_axis, x, y);
  if (style.line)  // an svg within the svg shows nothing beyond its edges
    elements_ += fmt::format(
        "<svg {}><path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
        "stroke-linejoin=\"round\"{}/></svg>\n",
        place(area), path_through(points), style.color, style.width, dashes(style.dash));
  const std::size_t every = (points.size() + kMostValues - 1) / kMostValues;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!can_be_drawn(points[i]) || !is_within(points[i], area)) continue;
    const double px = area.x + points[i].first, py = area.y + points[i].second;
    std::string element = style.markers || !style.line ? marker_element(px, py, style) : "";
    if (i < values.size() && (i % every == 0 || i + 1 == points.size()))
      element = fmt::format(
          "<g class=\"value\">{}{}<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" "
          "fill-opacity=\"0\"/></g>",
          title(values[i]), element, number(px), number(py), kTouchRadius, style.color);
    if (!element.empty()) elements_ += element + "\n";
  }
}

void Svg::band(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
               const std::vector<double>& low, const std::vector<double>& high, const std::string& color) {
  const std::vector<std::pair<double, double>> below = points_in(area, x_axis, y_axis, x, low),
                                               above = points_in(area, x_axis, y_axis, x, high);
  std::string path;
  const std::size_t count = std::min(above.size(), below.size());
  for (std::size_t first = 0; first < count;) {
    std::size_t end = first;
    while (end < count && can_be_drawn(above[end]) && can_be_drawn(below[end])) ++end;
    if (end > first + 1) {  // one point alone has no width
      std::vector<std::pair<double, double>> around(above.begin() + static_cast<std::ptrdiff_t>(first),
                                                    above.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t i = end; i-- > first;) around.push_back(below[i]);
      path += path_through(around) + "Z";
    }
    first = end + 1;
  }
  if (path.empty()) return;
  elements_ += fmt::format("<svg {}><path d=\"{}\" fill=\"{}\" fill-opacity=\"{:g}\"/></svg>\n", place(area), path,
                           color, kBandOpacity);
}

std::string Svg::finished(double width, double height) const {
  return fmt::format(
             "{}xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{:.0f}\" "
             "height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"{}, Verdana, Helvetica, Arial, "
             "sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
             kSvgStart, width, height, width, height, kFontName, kPaper) +
         elements_ + "</svg>\n";
}

}  // namespace ansatz::viz
