#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/subplots.h"

namespace ansatz::viz {
namespace {

constexpr std::size_t kFewPoints = 12;  ///< a curve with no more values than this shows them as markers
constexpr int kTicks = 6;
constexpr double kInsetHeight = 0.34;  ///< of the plot's
constexpr double kInsetGap = 6, kInsetLabel = 9, kInsetMargin = 6;

bool drawable(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool whole = true;  ///< only integers seen
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
    whole = whole && v == std::round(v);
  }
  bool empty() const { return low > high; }
};

/// Calls visit(x, y) for every value that can be drawn.
template <class Visit>
void for_each_value(const LinePlot& plot, const Series& series, const Visit& visit) {
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
    if (drawable(series.x[i], plot.log_x) && drawable(series.y[i], plot.log_y)) visit(i);
}

Axis axis_over(Extent extent, bool log, double padding, bool whole) {
  if (extent.empty()) extent.low = log ? 0.1 : 0, extent.high = 1;
  if (log) {
    if (extent.low == extent.high) extent.low /= 2, extent.high *= 2;
    const double factor = std::pow(extent.high / extent.low, padding);
    return log_axis(extent.low / factor, extent.high * factor, kTicks);
  }
  if (extent.low == extent.high) {
    const double around = extent.low == 0 ? 1 : 0.1 * std::abs(extent.low);
    extent.low -= around, extent.high += around;
  }
  const double pad = padding * (extent.high - extent.low);
  return linear_axis(extent.low - pad, extent.high + pad, kTicks, whole);
}

bool has_few_points(const LinePlot& plot, const Series& series) {
  std::size_t count = 0;
  for_each_value(plot, series, [&](std::size_t) { ++count; });
  return count <= kFewPoints;
}

/// Words stand at 1, 2, …
Axis word_axis(const std::vector<std::string>& words) {
  Axis axis{0.5, static_cast<double>(words.size()) + 0.5, false, {}};
  for (std::size_t i = 0; i < words.size(); ++i) axis.ticks.push_back({static_cast<double>(i + 1), words[i]});
  return axis;
}

Axis x_axis(const LinePlot& plot, bool markers) {
  if (!plot.x_names.empty()) return word_axis(plot.x_names);
  Extent extent;
  for (const Series& s : plot.series) for_each_value(plot, s, [&](std::size_t i) { extent.add(s.x[i]); });
  return axis_over(extent, plot.log_x, markers ? 0.03 : 0, extent.whole);
}

/// Values with what is around them.
Extent y_extent(const LinePlot& plot) {
  Extent extent;
  for (const Series& s : plot.series)
    for_each_value(plot, s, [&](std::size_t i) {
      extent.add(s.y[i]);
      for (const std::vector<double>* bound : {&s.low, &s.high})
        if (i < bound->size() && drawable((*bound)[i], plot.log_y)) extent.add((*bound)[i]);
    });
  return extent;
}

Axis y_axis(const LinePlot& plot) {
  Extent extent = y_extent(plot);
  if (extent.empty() || plot.y_low || plot.y_high) {
    if (extent.empty()) extent.low = plot.log_y ? 0.1 : 0, extent.high = 1;
    const double pad = 0.05 * (extent.high - extent.low);
    const double low = plot.y_low.value_or(plot.log_y ? extent.low : extent.low - pad);
    const double high = plot.y_high.value_or(plot.log_y ? extent.high : extent.high + pad);
    if (low < high) return plot.log_y && low > 0 ? log_axis(low, high, kTicks) : linear_axis(low, high, kTicks);
  }
  return axis_over(extent, plot.log_y, 0.05, false);
}

/// Points along every drawn segment, closer together than a legend is large.
std::vector<std::pair<double, double>> occupied_by(const LinePlot& plot, const Subplot& out) {
  std::vector<std::pair<double, double>> points;
  for (const Series& s : plot.series) {
    std::size_t previous = 0;
    bool started = false;
    for_each_value(plot, s, [&](std::size_t i) {
      const std::pair to(out.x.position(s.x[i]), out.y.position(s.y[i]));
      const bool joined = started && i == previous + 1;
      const std::pair from = joined ? points.back() : to;
      for (int k = joined ? 1 : 20; k <= 20; ++k)
        points.emplace_back(from.first + k / 20.0 * (to.first - from.first),
                            from.second + k / 20.0 * (to.second - from.second));
      previous = i;
      started = true;
    });
  }
  return points;
}

/// The places of the pictures in `area`: each is below its x, or as near to that as its neighbours allow.
std::vector<Rect> inset_places(const LinePlot& plot, const Axis& x_axis, const Rect& area) {
  std::vector<Rect> places;
  const double n = static_cast<double>(plot.insets.size());
  const double room = (area.width - 2 * kInsetMargin - (n - 1) * kInsetGap) / n;
  for (const Inset& inset : plot.insets) {
    const double aspect = static_cast<double>(inset.picture.width) / inset.picture.height;
    const double width = std::min(kInsetHeight * area.height * aspect, room), height = width / aspect;
    const double left = area.x + x_axis.position(inset.x) * area.width - width / 2;
    const double least = places.empty() ? area.x + kInsetMargin : places.back().right() + kInsetGap;
    places.push_back(
        {std::max(left, least), area.bottom() - kInsetMargin - kLineSpacing * kInsetLabel - height, width, height});
  }
  double most = area.right() - kInsetMargin;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    place->x = std::min(place->x, most - place->width);
    most = place->x - kInsetGap;
  }
  return places;
}

void draw_insets(Canvas& canvas, const LinePlot& plot, const Axis& x_axis, const Rect& area) {
  const std::vector<Rect> places = inset_places(plot, x_axis, area);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double at = area.x + x_axis.position(plot.insets[i].x) * area.width;
    const double middle = places[i].x + places[i].width / 2, top = places[i].y, bend = top - 8;
    canvas.line(at, area.y, at, bend, kMuted, 0.6, 3);
    canvas.line(at, bend, middle, top, kMuted, 0.6, 3);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    canvas.image(places[i], plot.insets[i].picture);
    canvas.frame(places[i], kFrame, 0.5);
    canvas.text(places[i].x + places[i].width / 2, places[i].bottom() + kLineSpacing * kInsetLabel / 2,
                plot.insets[i].label, {kInsetLabel, false, Align::center, false, kMuted});
  }
}

/// Marks the places of the insets as occupied, by points of the unit square, for a plot of usual proportions.
void occupy_insets(const LinePlot& plot, const Axis& x_axis, std::vector<std::pair<double, double>>& occupied) {
  constexpr double kWidth = 360, kHeight = 240;
  for (const Rect& place : inset_places(plot, x_axis, {0, 0, kWidth, kHeight}))
    for (int i = 0; i <= 10; ++i)
      for (int j = 0; j <= 10; ++j)
        occupied.emplace_back((place.x + i / 10.0 * place.width) / kWidth,
                              1 - (place.y + j / 10.0 * place.height) / kHeight);
}

/// The bands along lines, or bars at markers.
void draw_around(Canvas& canvas, const LinePlot& plot, const Subplot& out, const Rect& area) {
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (series.high.empty()) continue;
    const std::string& color = out.legend[s].style.color;
    if (series.line) {
      canvas.band(area, out.x, out.y, series.x, series.low, series.high, color);
      continue;
    }
    for (std::size_t i = 0; i < std::min(series.x.size(), series.high.size()); ++i) {
      if (!drawable(series.low[i], plot.log_y) || !drawable(series.high[i], plot.log_y)) continue;
      const double x = area.x + out.x.position(series.x[i]) * area.width;
      const auto height_of = [&](double y) { return area.bottom() - out.y.position(y) * area.height; };
      canvas.line(x, height_of(series.low[i]), x, height_of(series.high[i]), color, 1.2);
    }
  }
}

/// "± 0.02", the half of what is around a value; "" where nothing is.
std::string around_text(const Series& series, std::size_t i) {
  if (i >= series.low.size() || i >= series.high.size()) return "";
  const double half = (series.high[i] - series.low[i]) / 2;
  return std::isfinite(half) ? " ± " + format_number(half, 2) : "";
}

/// What x is called there.
std::string x_text(const LinePlot& plot, double x) {
  const auto place = static_cast<std::size_t>(std::max(0.0, std::round(x) - 1));
  return place < plot.x_names.size() ? plot.x_names[place] : format_number(x, 4);
}

/// "train\nepoch: 12\naccuracy (%): 84.1", below the name of the value where it has one.
std::vector<std::string> values_of(const LinePlot& plot, const Series& series) {
  const auto named = [](const std::string& name, const std::string& value) {
    return (name.empty() ? "" : name + ": ") + value;
  };
  std::vector<std::string> values;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
    values.push_back((i < series.names.size() ? series.names[i] + "\n" : "") +
                     (series.label.empty() ? "" : series.label + "\n") +
                     named(plot.x_label, x_text(plot, series.x[i])) + "\n" +
                     named(plot.y_label, format_number(series.y[i], 4) + around_text(series, i)));
  return values;
}

Subplot subplot_of(const LinePlot& plot) {
  Subplot out;
  out.title = plot.title, out.x_label = plot.x_label, out.y_label = plot.y_label;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    CurveStyle style = style_of_series(i);
    style.line = plot.series[i].line;
    style.markers =
        !plot.series[i].level && (plot.series[i].points || !style.line || has_few_points(plot, plot.series[i]));
    if (plot.series[i].level) style.dash = 2;
    out.legend.push_back({plot.series[i].label, style, false});
  }
  const bool markers =
      std::any_of(out.legend.begin(), out.legend.end(), [](const LegendEntry& e) { return e.style.markers; });
  out.categories = !plot.x_names.empty();
  out.x = x_axis(plot, markers);
  out.y = y_axis(plot);
  out.occupied = occupied_by(plot, out);
  const bool nothing = out.occupied.empty();
  occupy_insets(plot, out.x, out.occupied);
  out.draw = [plot, out, nothing](Canvas& canvas, const Rect& area) {
    draw_insets(canvas, plot, out.x, area);
    draw_around(canvas, plot, out, area);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
      canvas.curve(area, out.x, out.y, plot.series[i].x, plot.series[i].y, out.legend[i].style,
                   values_of(plot, plot.series[i]));
    if (nothing)
      canvas.text(area.x + area.width / 2, area.y + area.height / 2, "no finite values",
                  {11, false, Align::center, false, kMuted});
  };
  return out;
}

}  // namespace

void draw_lines(const std::vector<LinePlot>& plots, const FigureFiles& files) {
  std::vector<Subplot> subplots;
  for (const LinePlot& plot : plots) subplots.push_back(subplot_of(plot));
  draw_subplots(subplots, files);
}

}  // namespace ansatz::viz
