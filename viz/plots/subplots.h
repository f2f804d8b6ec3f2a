// Plots with axes in a grid: what lines and bars have in common. Internal to viz/.
#pragma once

#include <filesystem>
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
  bool categories = false;          ///< x has a label a slot, which wraps or turns upright to fit, and no grid lines
  std::vector<LegendEntry> legend;  ///< entries without a label are left out
  /// Where there is something that a legend must not cover: points of the unit square, y upwards.
  std::vector<std::pair<double, double>> occupied;
  std::function<void(Canvas&, const Rect&)> draw;
};

/// Colours of Okabe and Ito, without yellow; after seven of them with another dash type and marker.
CurveStyle style_of_series(std::size_t index);

/// At most three a row, equal areas. Equal legends are drawn once below; others in a free corner if every plot has one,
/// otherwise below each plot.
void draw_subplots(const std::vector<Subplot>& plots, const std::filesystem::path& stem);

}  // namespace ansatz::viz
