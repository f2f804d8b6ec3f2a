// Colour ranges and the bars that explain them. Internal to viz/.
#pragma once

#include "viz/canvas/canvas.h"

namespace ansatz::viz {

struct ColorRange {
  double low = 0, high = 1;
  Palette palette = Palette::viridis;
};

/// The range of the finite values, never empty. For the diverging palette it is symmetric about 0. If all values are
/// positive, it starts at 0 if the smallest is below 2 % of the largest, or, with `from_zero`, always.
ColorRange range_of(const Matrix<double>& values, Palette palette, bool from_zero = false);

/// Draws an upright bar at the left end of `rect`, as high as it, with ticks at round numbers to the right of the bar.
void draw_upright_color_bar(Canvas& canvas, const Rect& rect, const ColorRange& range, int most_ticks);
double upright_color_bar_width(const ColorRange& range, int most_ticks);  ///< of bar and labels

/// Draws a flat bar with labels below its ends (and below 0 in the middle, if diverging). Takes kFlatBarHeight.
void draw_flat_color_bar(Canvas& canvas, double x, double y, double width, const ColorRange& range);
inline constexpr double kFlatBarHeight = 20;

}  // namespace ansatz::viz
