#include "viz/canvas/color_bar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/canvas/text.h"

namespace ansatz::viz {
namespace {

constexpr int kSteps = 256;
constexpr double kNearlyZero = 0.02;  ///< a scale starts at 0 if the smallest value is below this share of the largest
constexpr double kBarWidth = 10, kBarHeight = 6, kTick = 3, kSize = 9.5;

Axis axis_of(const ColorRange& range, int most_ticks) { return linear_axis(range.low, range.high, most_ticks); }

/// Half of the range, because the whole can be larger than any double.
double half_range(const ColorRange& range) { return range.high / 2 - range.low / 2; }

}  // namespace

ColorRange range_of(const Matrix<double>& values, Palette palette, bool from_zero) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index i = 0; i < values.size(); ++i) {
    const double v = values.data()[i];
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  if (low > high) low = high = 0;
  if (palette == Palette::diverging) {
    high = std::max(std::abs(low), std::abs(high));
    if (high == 0) high = 1;
    return {-high, high, palette};
  }
  if (low > 0 && (from_zero || low < kNearlyZero * high)) low = 0;
  if (low == high) high += std::max(1.0, std::abs(low));
  return {low, high, palette};
}

double upright_color_bar_width(const ColorRange& range, int most_ticks) {
  return kBarWidth + kTick + 4 + axis_of(range, most_ticks).label_width(kSize);
}

void draw_upright_color_bar(Canvas& canvas, const Rect& rect, const ColorRange& range, int most_ticks) {
  Matrix<double> ramp(kSteps, 2);
  for (Index i = 0; i < kSteps; ++i)
    ramp.row(i).setConstant(2 * (range.high / 2 - half_range(range) * static_cast<double>(i) / (kSteps - 1)));
  const Rect bar{rect.x, rect.y, kBarWidth, rect.height};
  canvas.image(bar, colorize(ramp, range.low, range.high, range.palette));
  canvas.frame(bar, kMuted, 0.5);
  const Axis axis = axis_of(range, most_ticks);
  for (const Tick& tick : axis.ticks) {
    const double y = bar.bottom() - axis.position(tick.at) * bar.height;
    canvas.line(bar.right(), y, bar.right() + kTick, y, kMuted, 0.6);
    canvas.text(bar.right() + kTick + 3, y, tick.label, {kSize, false, Align::left, false, kMuted});
  }
}

void draw_flat_color_bar(Canvas& canvas, double x, double y, double width, const ColorRange& range) {
  Matrix<double> ramp(2, kSteps);
  for (Index i = 0; i < kSteps; ++i)
    ramp.col(i).setConstant(2 * (range.low / 2 + half_range(range) * static_cast<double>(i) / (kSteps - 1)));
  canvas.image({x, y, width, kBarHeight}, colorize(ramp, range.low, range.high, range.palette));
  canvas.frame({x, y, width, kBarHeight}, kMuted, 0.5);
  const std::string low = format_number(range.low, 2), high = format_number(range.high, 2);
  const double below = y + kBarHeight + 3 + kSize / 2, taken = text_width(low, kSize) + text_width(high, kSize);
  if (taken + 6 <= width) canvas.text(x, below, low, {kSize, false, Align::left, false, kMuted});
  canvas.text(x + width, below, high, {kSize, false, Align::right, false, kMuted});
  if (range.palette == Palette::diverging && range.low == -range.high && taken + 24 <= width)
    canvas.text(x + width / 2, below, "0", {kSize, false, Align::center, false, kMuted});
}

}  // namespace ansatz::viz
