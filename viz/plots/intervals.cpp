#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/subplots.h"

namespace ansatz::viz {
namespace {

constexpr double kRowHeight = 24, kMostName = 230, kNameSize = 10, kRemarkSize = 9.5;
constexpr double kCap = 4;  ///< half the height of an interval's ends

/// From the least bound to the largest, 0 included, with room for the remarks at the right, where no ticks are.
Axis axis_of(const IntervalPlot& plot) {
  double low = 0, high = 0, remark = 0;
  for (const Interval& row : plot.rows) {
    for (const double v : {row.value, row.low, row.high})
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    remark = std::max(remark, text_width(row.remark, kRemarkSize) + 12);
  }
  if (low == high) low = -1, high = 1;
  const double pad = 0.05 * (high - low), share = std::min(0.5, remark / area_width(1));
  Axis axis = linear_axis(low - pad, high + pad + share / (1 - share) * (high - low + 2 * pad), 9);
  axis.ticks.erase(
      std::remove_if(axis.ticks.begin(), axis.ticks.end(), [&](const Tick& t) { return t.at > high + pad; }),
      axis.ticks.end());
  return axis;
}

std::string said_of(const Interval& row) {
  std::string text = value_text("", row.name, row.value);
  if (std::isfinite(row.low)) text += "\n" + format_number(row.low, 3) + " to " + format_number(row.high, 3);
  return row.remark.empty() ? text : text + "\n" + row.remark;
}

void draw_row(Canvas& canvas, const Interval& row, const Axis& axis, const Rect& area, double y) {
  const auto at = [&](double value) { return area.x + axis.position(value) * area.width; };
  const CurveStyle style = style_of_series(0);
  if (std::isfinite(row.low) && std::isfinite(row.high)) {
    canvas.line(at(row.low), y, at(row.high), y, style.color, 2);
    for (const double end : {row.low, row.high}) canvas.line(at(end), y - kCap, at(end), y + kCap, style.color, 2);
  }
  if (std::isfinite(row.value)) canvas.marker(at(row.value), y, style);
  canvas.text(area.right() - 4, y, row.remark, {kRemarkSize, false, Align::right, false, kMuted});
  canvas.value({area.x, y - kRowHeight / 2, area.width, kRowHeight}, said_of(row));
}

}  // namespace

void draw_intervals(const IntervalPlot& plot, const FigureFiles& files) {
  if (plot.rows.empty()) throw DataError(files.stem.string() + ": there is no interval to draw");
  const auto slots = static_cast<double>(plot.rows.size());
  Subplot out;
  out.title = plot.title;
  out.x_label = plot.x_label;
  out.x = axis_of(plot);
  out.y = Axis{0, slots, false, {}};
  for (std::size_t i = 0; i < plot.rows.size(); ++i)
    out.y.ticks.push_back({slots - static_cast<double>(i) - 0.5, shorten(plot.rows[i].name, kMostName, kNameSize)});
  out.rows = true;
  out.height = kRowHeight * slots;
  out.draw = [&](Canvas& canvas, const Rect& area) {
    const double zero = area.x + out.x.position(0) * area.width;
    canvas.line(zero, area.y, zero, area.bottom(), kInk, 0.8, 2);
    for (std::size_t i = 0; i < plot.rows.size(); ++i)
      draw_row(canvas, plot.rows[i], out.x, area, area.y + kRowHeight * (static_cast<double>(i) + 0.5));
  };
  draw_subplots({out}, files);
}

}  // namespace ansatz::viz
