// Where a legend goes and how it is drawn. Internal to viz/.
#pragma once

#include <optional>
#include <vector>

#include "viz/plots/subplots.h"

namespace ansatz::viz {

/// A block of entries: its size, and each entry's place in it.
struct LegendLayout {
  std::vector<LegendEntry> entries;
  std::vector<std::pair<double, double>> at;  ///< left end, vertical centre
  double width = 0, height = 0;
};

LegendLayout legend_column(const std::vector<LegendEntry>& entries);
LegendLayout legend_rows(const std::vector<LegendEntry>& entries, double width);  ///< as many a row as fit
void draw_legend(Canvas& canvas, double x, double y, const LegendLayout& layout);

inline constexpr double kClearance = 6;  ///< between a legend and data or axes

/// The place within `area` where a block of this size covers no point of `occupied` (given in the unit square). Tries
/// top right, top left, bottom right and bottom left; none if all are occupied.
std::optional<std::pair<double, double>> free_corner(const Rect& area, const LegendLayout& layout,
                                                     const std::vector<std::pair<double, double>>& occupied);

}  // namespace ansatz::viz
