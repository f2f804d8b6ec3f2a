// Colour ranges and the bars that explain them. Internal to viz/.
#pragma once

#include "viz/canvas/canvas.h"

namespace ansatz::viz {

struct ColorRange {
  double low = 0, high = 1;
  Palette palette = Palette::viridis;
};

/// Of the finite values; diverging: symmetric about 0; never empty. Positive values start at 0 if the smallest is below
/// 2 % of the largest, or, with `from_zero`, always.
ColorRange range_of(const Matrix<double>& values, Palette palette, bool from_zero = false);

/// Upright at the left end of `rect` and as high, with ticks at round numbers to its right.
void draw_upright_color_bar(Canvas& canvas, const Rect& rect, const ColorRange& range, int most_ticks);
double upright_color_bar_width(const ColorRange& range, int most_ticks);  ///< of bar and labels

/// Flat, its ends (and 0 in the middle, where diverging) labelled below it. Takes kFlatBarHeight.
void draw_flat_color_bar(Canvas& canvas, double x, double y, double width, const ColorRange& range);
inline constexpr double kFlatBarHeight = 20;

}  // namespace ansatz::viz
