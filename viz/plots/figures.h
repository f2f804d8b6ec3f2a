// Whole figures with text, axes and colour bars, good enough for a paper. Drawn by gnuplot: PNG on disk, SVG for the
// report.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "viz/images/feature_image.h"

namespace ansatz::viz {

/// One cell of a panel: a picture with a title above and lines below ("r = 0.953", "test 85.7 %").
struct PanelCell {
  Matrix<double> values;  ///< h x w, drawn with nearest-neighbour pixels; ignored if `rgb` is set
  std::optional<Image> rgb;
  double low = 0,
         high = 0;  ///< colour range; equal: from the values, as colour bars state (diverging: symmetric about 0)
  Palette palette = Palette::viridis;
  std::string title;
  std::vector<std::string> captions;
};

/// A grid with a label left of each row and an optional common title; colour bars where scalar values are drawn. As the
/// paper's Figs 1, 2, 3 and 15: network row above, RFM row below. Cells may be missing (empty values and no rgb). Where
/// all cells of a row share an explicit range and palette the row has one colour bar at its right end, otherwise each
/// cell has its own below it. Long texts wrap, then end in an ellipsis. Text is shown as it is: _ ^ { } @ & and quotes
/// mean nothing.
struct Panel {
  std::string title;
  std::vector<std::string> row_labels;
  std::vector<std::vector<PanelCell>> rows;
  bool color_bars = true;
  std::string note;  ///< one line under the figure: what the scale is
};

struct Series {
  std::string label;
  std::vector<double> x = {}, y = {};  ///< NaN breaks the line
  bool points = false;                 ///< markers at the values as well; drawn anyway where there are at most 12
  bool line = true;                    ///< false: markers only, as for a scatter plot
};

/// A small picture inside of a plot, at its bottom, with a line up from it where the curves have the value `x`.
struct Inset {
  double x = 0;
  Image picture;
  std::string label;  ///< one short line under it
};

struct LinePlot {
  std::string title = {}, x_label = {}, y_label = {};
  bool log_x = false, log_y = false;  ///< values that are not positive break the line
  std::optional<double> y_low = {}, y_high = {};
  std::vector<Series> series = {};
  std::vector<Inset> insets = {};  ///< in the order of their x; they shrink and move aside so as not to overlap
};

/// Each writes `path_without_extension`.png and .svg, whole or not at all. Throws OutputError if the files cannot be
/// written, and Error naming gnuplot's own message if gnuplot is missing or fails; DataError where there is nothing to
/// draw. The PNG has 200 dots an inch.
void draw_panel(const Panel& panel, const std::filesystem::path& path_without_extension);
/// Several plots side by side.
void draw_lines(const std::vector<LinePlot>& plots, const std::filesystem::path& path_without_extension);
/// A heat map with row and column numbers (from 1), square cells, a colour bar, and the scale stated; for the matrix or
/// its top-left block. Above 800 rows or columns one pixel shows the mean of several entries, which the figure says.
struct HeatMap {
  std::string title;
  Matrix<double> values;
  Palette palette =
      Palette::diverging;  ///< diverging: symmetric about 0; others: from the smallest to the largest value, or from 0
};
void draw_heat_maps(const std::vector<HeatMap>& maps, const std::filesystem::path& path_without_extension);
/// Grouped bars of |values| (normalised diagonals of small problems, as Fig. 10b).
struct BarPlot {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<std::string> categories = {};
  std::vector<Series> series = {};  ///< y only
};
void draw_bars(const std::vector<BarPlot>& plots, const std::filesystem::path& path_without_extension);

}  // namespace ansatz::viz
