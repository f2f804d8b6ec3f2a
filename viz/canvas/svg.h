// A figure as SVG: what browsers show of it. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "viz/canvas/axis.h"
#include "viz/canvas/shapes.h"
#include "viz/images/feature_image.h"

namespace ansatz::viz {

inline constexpr const char* kFontName =
    "DejaVu Sans";  ///< clean, wide coverage (subscripts, Greek), comes with gnuplot on Debian

/// How every drawing begins, so that the report knows one that it can put into a page as it is.
inline constexpr const char* kSvgStart = "<svg class=\"drawing\" ";

/// Elements in the order of the calls, in the units of Canvas, whose functions say what is drawn. Values that a reader
/// may ask for are <title>s, which browsers show under the pointer. There are no ids, so a page may hold several.
class Svg {
 public:
  void text(double x, double y, const std::string& text, const TextStyle& style);
  void line(double x1, double y1, double x2, double y2, const std::string& color, double width, int dash);
  void rectangle(const Rect& rect, const std::string& fill, const std::string& value);
  void value(const Rect& rect, const std::string& value);  ///< nothing is seen of it
  void frame(const Rect& rect, const std::string& color, double width);
  void marker(double x, double y, const CurveStyle& style);
  void image(const Rect& rect, const Image& image);
  /// `values`: of each point; empty: none.
  void curve(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
             const std::vector<double>& y, const CurveStyle& style, const std::vector<std::string>& values);

  void band(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
            const std::vector<double>& low, const std::vector<double>& high, const std::string& color);

  /// The whole file, on white paper.
  std::string finished(double width, double height) const;

 private:
  std::string elements_;
};

}  // namespace ansatz::viz
