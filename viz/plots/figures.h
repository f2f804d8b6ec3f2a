// Whole figures with text, axes and colour bars, good enough for a paper. gnuplot draws them as PNG, as SVG (for the
// report) and as PDF.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/canvas/figure_files.h"
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

/// A grid of pictures as in the paper's Figs 1, 2, 3 and 15: a row for the network above, a row for the RFM below, a
/// label left of each row, and a common title if given. Cells may be missing (empty values and no rgb). Cells with
/// scalar values have colour bars: if all cells of a row share an explicit range and palette, one at the row's right
/// end, otherwise each its own below it. Long texts wrap, and are cut off with an ellipsis if they are still too long.
/// Text is shown literally: _ ^ { } @ & and quotes have no special meaning.
struct Panel {
  std::string title;
  std::vector<std::string> row_labels;
  std::vector<std::vector<PanelCell>> rows;
  bool color_bars = true;
  std::string note;  ///< one line under the figure: what the scale is
};

struct Series {
  std::string label;
  std::vector<double> x = {}, y = {};   ///< NaN breaks the line
  bool points = false;                  ///< markers at the values as well; always if there are at most 12
  bool line = true;                     ///< false: markers only, as for a scatter plot
  bool level = false;                   ///< something to compare with, not a course: dashed, without markers
  std::vector<std::string> names = {};  ///< of the values, which the SVG says under the pointer; or empty
  /// Around y, such as y plus and minus a standard error: a band along a line, bars at markers without one; NaN: none
  /// there; empty: none at all.
  std::vector<double> low = {}, high = {};
};

/// A small picture at the bottom inside of a plot. A line leads up from it to the place `x` of the curves.
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
  std::vector<Inset> insets = {};         ///< in the order of their x; they shrink and move so that they do not overlap
  std::vector<std::string> x_names = {};  ///< of x = 1, 2, …, which stand for words; or empty
};

// Each draw function writes the files, a PNG at 200 dots an inch, whole or not at all. It throws OutputError if they
// cannot be written, Error with gnuplot's own message if gnuplot is missing or fails, and DataError if there is nothing
// to draw.

void draw_panel(const Panel& panel, const FigureFiles& files);
/// Several plots side by side.
void draw_lines(const std::vector<LinePlot>& plots, const FigureFiles& files);
/// A heat map of a matrix (or its top-left block) with square cells and a colour bar. Rows and columns have their
/// names, shortened in the middle, as many as are readable, or else numbers (from 1). Above 800 rows or columns, one
/// pixel shows the mean of several entries, and the figure says so.
struct HeatMap {
  std::string title;
  Matrix<double> values;
  Palette palette =
      Palette::diverging;  ///< diverging: symmetric about 0; others: from the smallest to the largest value, or from 0
  std::vector<std::string> row_names = {}, column_names = {};  ///< one each; empty: numbers
};
void draw_heat_maps(const std::vector<HeatMap>& maps, const FigureFiles& files);
/// Grouped bars of |values| (normalised diagonals of small problems, as Fig. 10b).
struct BarPlot {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<std::string> categories = {};
  std::vector<Series> series = {};  ///< y only
};
void draw_bars(const std::vector<BarPlot>& plots, const FigureFiles& files);
/// Bars lying down, for categories that are names: one a row, the first on top, long ones shortened in the middle.
/// `x_label` is that of the values; those below 0 go to the left. Plots side by side have rows of equal height.
void draw_row_bars(const std::vector<BarPlot>& plots, const FigureFiles& files);

/// A number with an interval around it.
struct Interval {
  std::string name;
  double value = 0, low = 0, high = 0;  ///< NaN bounds: no interval is drawn
  std::string remark = {};              ///< at the right end of its row
};
/// Intervals lying down: one a row, the first on top, beside a line at 0.
struct IntervalPlot {
  std::string title, x_label;
  std::vector<Interval> rows;
};
void draw_intervals(const IntervalPlot& plot, const FigureFiles& files);

/// Who is best at each combination of two things, as a table of colours.
struct WinnerMap {
  struct Cell {
    std::optional<std::size_t> winner = {};  ///< of `models`; without: nobody, as the text says
    bool clear = true;                       ///< filled; otherwise only framed
    std::string text = {};                   ///< empty: nothing is known here
  };
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<std::string> row_names = {}, column_names = {}, models = {};
  std::vector<Cell> cells = {};  ///< row by row
};
/// At most two maps a row; the legend is that of the first, whose models all others must have.
void draw_winner_maps(const std::vector<WinnerMap>& maps, const FigureFiles& files);

/// Mean ranks of methods on a line, the best at its left; bars join those too close to tell apart (Demsar 2006).
struct RankDiagram {
  std::string title;
  std::vector<std::string> methods;
  std::vector<double> ranks;                     ///< one each
  double difference = 0;                         ///< the critical one, drawn above as a length; NaN: there is none
  std::vector<std::vector<std::size_t>> groups;  ///< that a bar joins: places in `methods`
};
void draw_rank_diagram(const RankDiagram& diagram, const FigureFiles& files);

}  // namespace ansatz::viz
