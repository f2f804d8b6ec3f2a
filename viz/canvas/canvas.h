// A figure under construction, in units of 1/100 inch from its top left corner. gnuplot draws it as PNG and
// PDF. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "viz/canvas/axis.h"
#include "viz/canvas/figure_files.h"
#include "viz/canvas/shapes.h"
#include "viz/canvas/svg.h"
#include "viz/images/feature_image.h"

namespace ansatz::viz {

/// Everything is drawn in the order of the calls: what comes later covers what came earlier.
class Canvas {
 public:
  Canvas(double width, double height) : width_(width), height_(height) {}
  double width() const { return width_; }

  /// Draws one line of text, vertically centred on y (on x if rotated).
  void text(double x, double y, const std::string& text, const TextStyle& style = {});
  /// Draws lines of text, each kLineSpacing * size high, the first centred on y. Returns the y below the last.
  double lines(double x, double y, const std::vector<std::string>& lines, const TextStyle& style);
  void line(double x1, double y1, double x2, double y2, const std::string& color, double width, int dash = 1);
  /// `value`: what the SVG says of it under the pointer ("network, coordinate 3: 0.71"); empty: nothing.
  void rectangle(const Rect& rect, const std::string& fill, const std::string& value = {});
  /// What the SVG says of this place under the pointer.
  void value(const Rect& rect, const std::string& value) { svg_.value(rect, value); }
  void frame(const Rect& rect, const std::string& color, double width);
  void marker(double x, double y, const CurveStyle& style);
  void image(const Rect& rect, const Image& image);
  /// Draws points given in axis units, clipped to `area`; NaN breaks the line. `values`: what the SVG says of each
  /// point under the pointer; empty: nothing.
  void curve(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
             const std::vector<double>& y, const CurveStyle& style, const std::vector<std::string>& values = {});

  /// What lies between `low` and `high`, in a colour that what is below shows through; clipped to `area`. Breaks where
  /// either is NaN.
  void band(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
            const std::vector<double>& low, const std::vector<double>& high, const std::string& color);

  /// Writes the files, each whole or not at all; all are drawn before the first is written. A PNG has 2 pixels a unit
  /// (200 dpi). OutputError, Error.
  void save(const FigureFiles& files) const;

 private:
  /// In one (empty) plot, gnuplot draws all rectangles below all labels and arrows, whatever their order. Fills and the
  /// marks on them can share such a plot, but a fill that is to cover earlier marks needs a new one.
  enum class Kind { plot, fill, mark };
  struct Step {
    std::string commands;  ///< gnuplot
    Kind kind;
  };
  std::string terminal(FigureFormat format) const;
  std::string margins(const Rect& area) const;
  std::string place_of(const Rect& area, const Axis& x_axis, const Axis& y_axis) const;
  std::string add_data(const std::vector<const std::vector<double>*>& columns);  ///< returns the block's name
  std::string body() const;
  std::string drawn_by_gnuplot(FigureFormat format) const;  ///< the file's bytes

  double width_, height_;
  std::vector<Step> steps_;
  Svg svg_;
  std::vector<Image> images_;
  std::string data_blocks_;
  int blocks_ = 0;
};

}  // namespace ansatz::viz
