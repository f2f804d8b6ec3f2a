#include <algorithm>
#include <cmath>

#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/subplots.h"

namespace ansatz::viz {
namespace {

constexpr double kRowHeight = 19, kLeastHeight = 90;
constexpr double kFilled = 0.74;  ///< share of a row that its bars fill
constexpr double kMostName = 190, kNameSize = 10;
constexpr double kThickest = 15;  ///< a single bar

/// Rows count from the top: row 0 lies between slots - 1 and slots.
Axis name_axis(const std::vector<std::string>& names, std::size_t slots) {
  Axis axis{0, static_cast<double>(slots), false, {}};
  for (std::size_t i = 0; i < names.size(); ++i)
    axis.ticks.push_back({static_cast<double>(slots - i) - 0.5, shorten(names[i], kMostName, kNameSize)});
  return axis;
}

Axis value_axis(const BarPlot& plot) {
  double low = 0, high = 0;
  for (const Series& s : plot.series)
    for (const double v : s.y)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return linear_axis(1.05 * low, high > low ? 1.05 * high : 1, 5);
}

/// A bar's place in units of rows, from the top of the plot.
struct Lane {
  double top = 0, thickness = 0;
};

Lane lane(const BarPlot& plot, std::size_t series, std::size_t row, double row_height) {
  const auto count = static_cast<double>(plot.series.size());
  const double thickness = std::min(kFilled / count, kThickest / row_height);
  return {static_cast<double>(row) + 0.5 + thickness * (static_cast<double>(series) - count / 2), thickness};
}

/// Calls visit(series, row, value) for every bar there is.
template <class Visit>
void for_each_bar(const BarPlot& plot, Visit visit) {
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    for (std::size_t i = 0; i < std::min(plot.categories.size(), plot.series[s].y.size()); ++i)
      if (const double value = plot.series[s].y[i]; std::isfinite(value) && value != 0) visit(s, i, value);
}

Subplot subplot_of(const BarPlot& plot, std::size_t slots) {
  Subplot out;
  out.title = plot.title, out.x_label = plot.x_label, out.y_label = plot.y_label;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    out.legend.push_back({plot.series[i].label, style_of_series(i), true});
  out.x = value_axis(plot);
  out.y = name_axis(plot.categories, slots);
  out.rows = true;
  out.height = std::max(kLeastHeight, kRowHeight * static_cast<double>(slots));
  const double row_height = out.height / static_cast<double>(slots);
  for_each_bar(plot, [&](std::size_t s, std::size_t i, double value) {
    const Lane bar = lane(plot, s, i, row_height);
    for (int k = 0; k <= 20; ++k)
      out.occupied.emplace_back(out.x.position(k / 20.0 * value),  // from 0
                                1 - (bar.top + bar.thickness / 2) / static_cast<double>(slots));
  });
  out.draw = [plot, out, row_height](Canvas& canvas, const Rect& area) {
    for_each_bar(plot, [&](std::size_t s, std::size_t i, double value) {
      const Lane bar = lane(plot, s, i, row_height);
      const double from = out.x.position(std::min(value, 0.0)), to = out.x.position(std::max(value, 0.0));
      canvas.rectangle({area.x + from * area.width, area.y + bar.top * row_height, (to - from) * area.width,
                        bar.thickness * row_height},
                       out.legend[s].style.color, value_text(plot.series[s].label, plot.categories[i], value));
    });
    const double zero = area.x + out.x.position(0) * area.width;
    if (out.x.low < 0) canvas.line(zero, area.y, zero, area.bottom(), kInk, 0.8);
  };
  return out;
}

}  // namespace

void draw_row_bars(const std::vector<BarPlot>& plots, const FigureFiles& files) {
  std::size_t slots = 1;
  for (const BarPlot& plot : plots) slots = std::max(slots, plot.categories.size());
  std::vector<Subplot> subplots;
  for (const BarPlot& plot : plots) subplots.push_back(subplot_of(plot, slots));
  draw_subplots(subplots, files);
}

}  // namespace ansatz::viz
