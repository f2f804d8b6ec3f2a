#include "viz/plots/subplots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "viz/canvas/text.h"
#include "viz/plots/legend.h"

namespace ansatz::viz {
namespace {

constexpr double kMargin = 10;      ///< around the figure
constexpr double kGapBetween = 26;  ///< between plots
constexpr double kTickSize = 10, kLabelSize = 11, kTitleSize = 12;
constexpr double kMostUpright = 110;  ///< length of a label that reads upwards
constexpr double kAboveLegend = 8;
constexpr double kTick = 4;  ///< length of a tick mark

enum class LegendPlace { shared, corner, below };

constexpr std::array<double, 3> kAreaWidths = {460, 360, 290};  ///< by the number of columns

std::size_t columns_of(std::size_t plots) { return plots == 4 ? 2 : std::min<std::size_t>(plots, 3); }

/// Names of rows take much of the width: three plots side by side would be too small to read on paper.
std::size_t columns_of(const std::vector<Subplot>& plots) {
  const bool named = std::any_of(plots.begin(), plots.end(), [](const Subplot& p) { return p.rows; });
  return std::min<std::size_t>(columns_of(plots.size()), named ? 2 : 3);
}

/// The labels below the x axis. All have one line, or several, or read upwards in a single line.
struct XLabels {
  std::vector<std::vector<std::string>> lines;  ///< a tick
  bool upright = false;
  double height = 0;
};

XLabels x_labels(const Subplot& plot, double width) {
  XLabels out;
  const double slot = width / std::max<double>(1, static_cast<double>(plot.x.ticks.size())) - 6;
  std::size_t most = 1;
  for (const Tick& tick : plot.x.ticks) {
    out.lines.push_back(plot.categories ? wrap(tick.label, slot, kTickSize, false, 4) : std::vector{tick.label});
    most = std::max(most, out.lines.back().size());
    out.upright = out.upright || (plot.categories && widest_word(tick.label, kTickSize) > slot);
  }
  out.upright = out.upright || most > 3;
  out.height = kLineSpacing * kTickSize * static_cast<double>(most);
  if (!out.upright) return out;
  out.height = 0;
  for (std::size_t i = 0; i < out.lines.size(); ++i) {
    out.lines[i] = {shorten(plot.x.ticks[i].label, kMostUpright, kTickSize)};
    for (const std::string& line : out.lines[i]) out.height = std::max(out.height, text_width(line, kTickSize));
  }
  return out;
}

/// The distance from the x axis to the bottom of its name.
double depth_below(const Subplot& plot, double width) {
  return kTick + 4 + x_labels(plot, width).height + (plot.x_label.empty() ? 0 : 4 + kLineSpacing * kLabelSize);
}

/// Sizes that all plots of a figure share, so that their areas are equal and aligned.
struct Layout {
  std::size_t columns = 1;
  double width = 0, height = 0;  ///< of the area between the axes
  double left = 0, top = 0, bottom = 0, legend = 0;
  LegendPlace place = LegendPlace::corner;
  double pitch_x() const { return left + width + kGapBetween; }
  double pitch_y() const { return top + height + bottom + legend + kGapBetween; }
};

std::vector<std::string> title_lines(const Subplot& plot, const Layout& layout) {
  return wrap_evenly(plot.title, layout.width + layout.left / 2, kTitleSize, true, 3);
}

bool legends_agree(const std::vector<Subplot>& plots) {
  const auto same = [&](const Subplot& p) {
    return std::equal(p.legend.begin(), p.legend.end(), plots[0].legend.begin(), plots[0].legend.end(),
                      [](const LegendEntry& a, const LegendEntry& b) {
                        return a.label == b.label && a.style.color == b.style.color &&
                               a.style.markers == b.style.markers;
                      });
  };
  return plots.size() > 1 && std::all_of(plots.begin(), plots.end(), same);
}

LegendPlace place_of_legend(const std::vector<Subplot>& plots, const Layout& layout) {
  if (legends_agree(plots)) return LegendPlace::shared;
  const auto has_room = [&](const Subplot& p) {
    const LegendLayout legend = legend_column(p.legend);
    return legend.width < 0.6 * layout.width &&
           free_corner({0, 0, layout.width, layout.height}, legend, p.occupied).has_value();
  };
  return std::all_of(plots.begin(), plots.end(), has_room) ? LegendPlace::corner : LegendPlace::below;
}

Layout layout_of(const std::vector<Subplot>& plots) {
  Layout out;
  out.columns = columns_of(plots);
  out.width = kAreaWidths[out.columns - 1];
  out.height = std::array<double, 3>{280, 240, 210}[out.columns - 1];
  double own_height = 0;
  for (const Subplot& p : plots) {
    out.left = std::max(out.left, p.y.label_width(kTickSize) + kTick + 6 + (p.y_label.empty() ? 0 : 1.7 * kLabelSize));
    out.bottom = std::max(out.bottom, depth_below(p, out.width));
    own_height = std::max(own_height, p.height);
  }
  if (own_height > 0) out.height = own_height;
  for (const Subplot& p : plots)
    out.top = std::max(out.top, 4 + kLineSpacing * kTitleSize * static_cast<double>(title_lines(p, out).size()));
  out.place = place_of_legend(plots, out);
  if (out.place == LegendPlace::below)
    for (const Subplot& p : plots)
      out.legend = std::max(out.legend, legend_rows(p.legend, out.width).height + kAboveLegend);
  return out;
}

void draw_x_axis(Canvas& canvas, const Subplot& plot, const Rect& area) {
  const XLabels labels = x_labels(plot, area.width);
  const double top = area.bottom() + kTick + 4;
  for (std::size_t i = 0; i < plot.x.ticks.size(); ++i) {
    const Tick& tick = plot.x.ticks[i];
    const double x = area.x + plot.x.position(tick.at) * area.width;
    canvas.line(x, area.bottom(), x, area.bottom() + (tick.label.empty() ? 0.5 : 1) * kTick, kInk, 0.8);
    if (labels.upright)
      for (const std::string& line : labels.lines[i])
        canvas.text(x, top, line, {kTickSize, false, Align::right, true, kMuted});
    else
      canvas.lines(x, top + kTickSize / 2, labels.lines[i], {kTickSize, false, Align::center, false, kMuted});
  }
}

void draw_y_axis(Canvas& canvas, const Subplot& plot, const Rect& area) {
  for (const Tick& tick : plot.y.ticks) {
    const double y = area.bottom() - plot.y.position(tick.at) * area.height;
    if (!plot.rows) canvas.line(area.x - (tick.label.empty() ? 0.5 : 1) * kTick, y, area.x, y, kInk, 0.8);
    canvas.text(area.x - kTick - 4, y, tick.label, {kTickSize, false, Align::right, false, kMuted});
  }
}

void draw_grid(Canvas& canvas, const Subplot& plot, const Rect& area) {
  for (const Tick& tick : plot.y.ticks) {
    const double y = area.bottom() - plot.y.position(tick.at) * area.height;
    if (!plot.rows && !tick.label.empty()) canvas.line(area.x, y, area.right(), y, kGridLine, 0.7);
  }
  for (const Tick& tick : plot.x.ticks) {
    const double x = area.x + plot.x.position(tick.at) * area.width;
    if (!plot.categories && !tick.label.empty()) canvas.line(x, area.y, x, area.bottom(), kGridLine, 0.7);
  }
}

void draw_texts(Canvas& canvas, const Subplot& plot, const Rect& area, const Layout& layout) {
  const std::vector<std::string> title = title_lines(plot, layout);
  const double height = kLineSpacing * kTitleSize;
  canvas.lines(area.x + area.width / 2, area.y - 4 - height * (static_cast<double>(title.size()) - 0.5), title,
               {kTitleSize, true, Align::center});
  if (!plot.y_label.empty())
    canvas.text(area.x - layout.left + kLabelSize / 2, area.y + area.height / 2,
                wrap(plot.y_label, area.height + layout.top, kLabelSize, false, 1)[0],
                {kLabelSize, false, Align::center, true});
  if (!plot.x_label.empty())
    canvas.text(area.x + area.width / 2, area.bottom() + depth_below(plot, area.width) - kLabelSize / 2,
                wrap(plot.x_label, area.width + layout.left, kLabelSize, false, 1)[0],
                {kLabelSize, false, Align::center});
}

void draw_own_legend(Canvas& canvas, const Subplot& plot, const Rect& area, const Layout& layout) {
  if (layout.place == LegendPlace::corner) {
    const LegendLayout legend = legend_column(plot.legend);
    const auto [x, y] = free_corner(area, legend, plot.occupied).value();
    if (!legend.entries.empty())
      canvas.rectangle({x - kClearance, y - 2, legend.width + 2 * kClearance, legend.height + 4}, kPaper);
    draw_legend(canvas, x, y, legend);
  } else if (layout.place == LegendPlace::below) {
    const LegendLayout legend = legend_rows(plot.legend, area.width);
    draw_legend(canvas, area.x + (area.width - legend.width) / 2, area.bottom() + layout.bottom + kAboveLegend, legend);
  }
}

void draw_subplot(Canvas& canvas, const Subplot& plot, const Rect& area, const Layout& layout) {
  draw_grid(canvas, plot, area);
  plot.draw(canvas, area);
  draw_own_legend(canvas, plot, area, layout);
  canvas.line(area.x, area.y, area.x, area.bottom(), kInk, 0.8);
  canvas.line(area.x, area.bottom(), area.right(), area.bottom(), kInk, 0.8);
  draw_x_axis(canvas, plot, area);
  draw_y_axis(canvas, plot, area);
  draw_texts(canvas, plot, area, layout);
}

}  // namespace

CurveStyle style_of_series(std::size_t index) {
  static constexpr int markers[] = {7, 5, 9, 13, 6, 4, 8};
  CurveStyle style;
  style.color = kSeriesColors[index % 7];
  style.dash = 1 + static_cast<int>(index / 7) % 4;
  style.marker = markers[(index + index / 7) % 7];
  return style;
}

std::string value_text(const std::string& series, const std::string& place, double value) {
  return (series.empty() ? "" : series + "\n") + place + ": " + format_number(value, 4);
}

double area_width(std::size_t plots) { return kAreaWidths[columns_of(plots) - 1]; }

void draw_subplots(const std::vector<Subplot>& plots, const FigureFiles& files) {
  if (plots.empty()) throw DataError(files.stem.string() + ": a figure needs at least one plot");
  const Layout layout = layout_of(plots);
  const std::size_t rows = (plots.size() + layout.columns - 1) / layout.columns;
  const double width = 2 * kMargin + layout.pitch_x() * static_cast<double>(layout.columns) - kGapBetween + 8;
  const bool shared = layout.place == LegendPlace::shared;
  const LegendLayout legend = legend_rows(plots[0].legend, width - 2 * kMargin);
  double height = 2 * kMargin + layout.pitch_y() * static_cast<double>(rows) - kGapBetween;
  if (shared && legend.height > 0) height += legend.height + kAboveLegend;
  Canvas canvas(std::ceil(width), std::ceil(height));
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const double x = kMargin + layout.left + layout.pitch_x() * static_cast<double>(i % layout.columns);
    const double y = kMargin + layout.top + layout.pitch_y() * static_cast<double>(i / layout.columns);
    draw_subplot(canvas, plots[i], {x, y, layout.width, layout.height}, layout);
  }
  if (shared) draw_legend(canvas, (width - legend.width) / 2, height - kMargin - legend.height, legend);
  canvas.save(files);
}

}  // namespace ansatz::viz
