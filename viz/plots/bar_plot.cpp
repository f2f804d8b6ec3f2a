#include <algorithm>
#include <cmath>

#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/subplots.h"

namespace ansatz::viz {
namespace {

constexpr double kGroupWidth = 0.78;     ///< share of a category's slot that its bars fill
constexpr std::size_t kMostLabels = 24;  ///< if there are more categories, only every second, third, ... is labelled
constexpr double kUprightPitch = 10.7;   ///< of labels that read upwards, of which more have room

/// How many labels have room below an area of that width.
std::size_t most_labels(const std::vector<std::string>& categories, double width) {
  double widest = 0;
  for (const std::string& category : categories) widest = std::max(widest, text_width(category, 10));
  const bool upright = widest > width / kMostLabels;
  return upright ? std::max(kMostLabels, static_cast<std::size_t>(width / kUprightPitch)) : kMostLabels;
}

Axis category_axis(const std::vector<std::string>& categories, double width) {
  const std::size_t most = most_labels(categories, width);
  const std::size_t count = categories.size(), every = (count + most - 1) / most;
  Axis axis{0, std::max<double>(1, static_cast<double>(count)), false, {}};
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, every)) {
    axis.ticks.push_back({static_cast<double>(i) + 0.5, categories[i]});
  }
  return axis;
}

Axis value_axis(const BarPlot& plot) {
  double low = 0, high = 0;
  for (const Series& s : plot.series)
    for (double v : s.y)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  if (low == high) high = 1;
  const double pad = 0.05 * (high - low);
  return linear_axis(low < 0 ? low - pad : 0, high + pad, 6);
}

double bar_left(const BarPlot& plot, std::size_t series, std::size_t category) {
  return static_cast<double>(category) + (1 - kGroupWidth) / 2 +
         kGroupWidth * static_cast<double>(series) / static_cast<double>(plot.series.size());
}

/// Points over the whole width of each bar, from 0 to its value.
std::vector<std::pair<double, double>> occupied_by(const BarPlot& plot, const Subplot& out) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    for (std::size_t i = 0; i < std::min(plot.categories.size(), plot.series[s].y.size()); ++i) {
      const double value = plot.series[s].y[i];
      if (!std::isfinite(value)) continue;
      for (const double across : {0.0, 0.5, 1.0})
        for (int k = 0; k <= 20; ++k)
          points.emplace_back(
              out.x.position(bar_left(plot, s, i) + across * kGroupWidth / static_cast<double>(plot.series.size())),
              out.y.position(k / 20.0 * value));
    }
  return points;
}

std::string place_of(const BarPlot& plot, std::size_t category) {
  return plot.x_label + (plot.x_label.empty() ? "" : " ") + plot.categories[category];
}

void draw_series(Canvas& canvas, const Rect& area, const BarPlot& plot, const Subplot& out) {
  const double zero = area.bottom() - out.y.position(0) * area.height;
  const double width = kGroupWidth / static_cast<double>(plot.series.size()) / out.x.high * area.width;
  for (std::size_t s = 0; s < plot.series.size(); ++s)
    for (std::size_t i = 0; i < std::min(plot.categories.size(), plot.series[s].y.size()); ++i) {
      const double value = plot.series[s].y[i];
      if (!std::isfinite(value) || value == 0) continue;
      const double end = area.bottom() - out.y.position(value) * area.height;
      const double left = area.x + out.x.position(bar_left(plot, s, i)) * area.width;
      canvas.rectangle({left, std::min(zero, end), width, std::abs(zero - end)}, out.legend[s].style.color,
                       value_text(plot.series[s].label, place_of(plot, i), value));
    }
  if (out.y.low < 0) canvas.line(area.x, zero, area.right(), zero, kInk, 0.6);
}

Subplot subplot_of(const BarPlot& plot, double width) {
  Subplot out;
  out.title = plot.title, out.x_label = plot.x_label, out.y_label = plot.y_label;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    out.legend.push_back({plot.series[i].label, style_of_series(i), true});
  out.x = category_axis(plot.categories, width);
  out.y = value_axis(plot);
  out.categories = true;
  out.occupied = occupied_by(plot, out);
  out.draw = [plot, out](Canvas& canvas, const Rect& area) { draw_series(canvas, area, plot, out); };
  return out;
}

}  // namespace

void draw_bars(const std::vector<BarPlot>& plots, const FigureFiles& files) {
  std::vector<Subplot> subplots;
  for (const BarPlot& plot : plots) subplots.push_back(subplot_of(plot, area_width(plots.size())));
  draw_subplots(subplots, files);
}

}  // namespace ansatz::viz
