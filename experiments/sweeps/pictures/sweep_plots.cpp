#include "experiments/sweeps/pictures/sweep_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ansatz::experiments {
namespace {

constexpr std::size_t kMostLines = 8;  // that one plot keeps apart

void add_value(double x, const SweepValue& value, double unit, viz::Series& series) {
  const double mean = value.spread.mean / unit, error = value.standard_error / unit;
  series.x.push_back(x);
  series.y.push_back(mean);
  series.low.push_back(mean - error);
  series.high.push_back(mean + error);
}

/// A single seed tells of no error.
void drop_empty_band(viz::Series& series) {
  if (std::any_of(series.high.begin(), series.high.end(), [](double v) { return std::isfinite(v); })) return;
  series.low.clear();
  series.high.clear();
}

/// "ridge" of "rfm.ridge".
std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::vector<std::string> texts_of(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (std::size_t place = 0; place < axis.values.size(); ++place) texts.push_back(axis.text(place));
  return texts;
}

}  // namespace

std::vector<std::size_t> ascending(const AxisPositions& positions) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < positions.x.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return positions.x[a] < positions.x[b]; });
  return order;
}

AxisPositions positions_on(const SweepAxis& axis) {
  std::vector<std::string> first;
  for (const std::vector<std::string>& values : axis.values) first.push_back(values.front());
  return axis_positions(first, axis.logarithmic);
}

SweepPlots::SweepPlots(const SweepPoints& points) : points_(points) {
  for (const SweepAxis* axis : points.axes()) positions_.push_back(positions_on(*axis));
  const auto numbers =
      std::find_if(positions_.begin(), positions_.end(), [](const AxisPositions& p) { return p.numbers; });
  if (numbers != positions_.end()) x_ = static_cast<std::size_t>(numbers - positions_.begin());
  for (std::size_t axis = 0; axis < positions_.size(); ++axis) {
    if (axis == x_) continue;
    if (lines_)
      panels_.push_back(axis);
    else
      lines_ = axis;
  }
}

viz::LinePlot SweepPlots::empty_plot(const SweepFamily& family, const std::string& title) const {
  viz::LinePlot plot;
  plot.title = title;
  plot.x_label = points_.axes()[x_]->name();
  plot.y_label = family.one_scale ? family.title : title;
  plot.log_x = positions_[x_].logarithmic;
  if (!positions_[x_].numbers) plot.x_names = texts_of(*points_.axes()[x_]);
  return plot;
}

viz::Series SweepPlots::series(const std::string& label, SweepPoints::Places places, const SweepMember& member,
                               double unit) const {
  viz::Series series{label};
  series.line = positions_[x_].numbers;
  for (const std::size_t place : ascending(positions_[x_])) {
    places[x_] = place;
    add_value(positions_[x_].x[place], points_.value(places, member.number), unit, series);
  }
  drop_empty_band(series);
  return series;
}

viz::LinePlot SweepPlots::with_lines(const SweepFamily& family, const SweepMember& member, SweepPoints::Places places,
                                     const std::string& title) const {
  viz::LinePlot plot = empty_plot(family, title);
  for (const std::size_t place : shown_lines()) {
    places[*lines_] = place;
    plot.series.push_back(series(value_name(*lines_, place), places, member, family.unit));
  }
  keep_apart(plot);
  return plot;
}

viz::LinePlot SweepPlots::scatter(const SweepFamily& family, std::size_t axis) const {
  const SweepAxis& over = *points_.axes()[axis];
  viz::LinePlot plot;
  plot.x_label = over.name();
  plot.y_label = family.title;
  plot.log_x = positions_[axis].logarithmic;
  if (!positions_[axis].numbers) plot.x_names = texts_of(over);
  for (const SweepMember& member : family.members) {
    viz::Series series{member.label};
    series.line = false;
    for (const SweepPoints::Places& point : points_.points())
      add_value(positions_[axis].x[point[axis]], points_.value(point, member.number), family.unit, series);
    drop_empty_band(series);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::vector<SweepPoints::Places> SweepPlots::panel_places() const {
  std::vector<SweepPoints::Places> all = {SweepPoints::Places(points_.axes().size(), 0)};
  for (const std::size_t axis : panels_) {
    std::vector<SweepPoints::Places> more;
    for (const SweepPoints::Places& places : all)
      for (std::size_t place = 0; place < points_.axes()[axis]->values.size(); ++place) {
        more.push_back(places);
        more.back()[axis] = place;
      }
    all = std::move(more);
  }
  return all;
}

std::string SweepPlots::panel_title(const SweepPoints::Places& places) const {
  std::string title;
  for (const std::size_t axis : panels_) title += (title.empty() ? "" : ", ") + value_name(axis, places[axis]);
  return title;
}

std::string SweepPlots::lines_left_out() const {
  const std::size_t all = points_.axes()[*lines_]->values.size();
  return all > kMostLines ? fmt::format(" ({} of {} values)", kMostLines, all) : "";
}

/// In ascending order; of many the first, the last and some between.
std::vector<std::size_t> SweepPlots::shown_lines() const {
  const std::vector<std::size_t> all = ascending(positions_[*lines_]);
  if (all.size() <= kMostLines) return all;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < kMostLines; ++i) shown.push_back(all[i * (all.size() - 1) / (kMostLines - 1)]);
  return shown;
}

std::string SweepPlots::value_name(std::size_t axis, std::size_t place) const {
  const SweepAxis& of = *points_.axes()[axis];
  std::string name;
  for (std::size_t key = 0; key < of.keys.size(); ++key)
    name += (name.empty() ? "" : ", ") + last_part(of.keys[key]) + " = " + of.values[place][key];
  return name;
}

bool has_values(const viz::LinePlot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(), [](const viz::Series& series) {
    return std::any_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); });
  });
}

void keep_apart(viz::LinePlot& plot) {
  constexpr double kApart = 0.08;
  if (plot.x_names.empty()) return;
  const double middle = (static_cast<double>(plot.series.size()) - 1) / 2;
  for (std::size_t i = 0; i < plot.series.size(); ++i)
    for (double& x : plot.series[i].x) x += kApart * (static_cast<double>(i) - middle);
}

void share_scale(std::vector<viz::LinePlot>& plots) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const viz::LinePlot& plot : plots)
    for (const viz::Series& series : plot.series)
      for (const std::vector<double>* values : {&series.y, &series.low, &series.high})
        for (const double value : *values) {
          if (!std::isfinite(value)) continue;
          low = std::min(low, value);
          high = std::max(high, value);
        }
  if (plots.size() < 2 || !(low < high)) return;
  const double pad = 0.05 * (high - low);
  for (viz::LinePlot& plot : plots) {
    plot.y_low = low - pad;
    plot.y_high = high + pad;
  }
}

}  // namespace ansatz::experiments
