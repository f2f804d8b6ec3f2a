// Plots with axes in a grid: what lines and bars have in common. Internal to viz/.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "viz/canvas/axis.h"
#include "viz/canvas/canvas.h"

namespace ansatz::viz {

struct LegendEntry {
  std::string label;
  CurveStyle style;
  bool box = false;  ///< a filled square instead of a line
};

struct Subplot {
  std::string title, x_label, y_label;
  Axis x, y;
  bool categories = false;          ///< x has no grid lines, and one label a slot that wraps or turns upright to fit
  bool rows = false;                ///< y has no grid lines, and one label a row
  double height = 0;                ///< of the area; 0: what suits the number of plots
  std::vector<LegendEntry> legend;  ///< entries without a label are left out
  /// What a legend must not cover, as points of the unit square, y upwards.
  std::vector<std::pair<double, double>> occupied;
  std::function<void(Canvas&, const Rect&)> draw;
};

/// The colours of Okabe and Ito without yellow. After these seven, they repeat with another dash type and marker.
CurveStyle style_of_series(std::size_t index);

/// What a bar says under the pointer: "network W₁ᵀW₁\ninput coordinate 3: 0.712".
std::string value_text(const std::string& series, const std::string& place, double value);

/// How wide the area of each of so many plots is.
double area_width(std::size_t plots);

/// Draws at most three plots a row (two where rows have names), with equal areas. If all legends are equal, one is
/// drawn below the plots. Otherwise each is drawn in a free corner of its plot if every plot has one, or else below its
/// plot.
void draw_subplots(const std::vector<Subplot>& plots, const FigureFiles& files);

}  // namespace ansatz::viz
