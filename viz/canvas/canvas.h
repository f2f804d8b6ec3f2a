// A figure under construction, in units of 1/100 inch from its top left corner; gnuplot draws it. Internal to viz/.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "viz/canvas/axis.h"
#include "viz/canvas/figure_files.h"
#include "viz/images/feature_image.h"

namespace ansatz::viz {

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

inline constexpr const char* kInk = "#222222";    ///< text and axes
inline constexpr const char* kMuted = "#555555";  ///< captions, tick labels
inline constexpr const char* kGridLine = "#e4e4e4";
inline constexpr double kLineSpacing = 1.3;  ///< of text, times its size
inline constexpr double kMarkerSize = 0.55;  ///< gnuplot's point size

enum class Align { left, center, right };

struct TextStyle {
  double size = 11;
  bool bold = false;
  Align align = Align::left;
  bool rotated = false;  ///< reads upwards; `align` is then along the vertical
  const char* color = kInk;
};

struct CurveStyle {
  std::string color = kInk;
  double width = 1.6;
  int dash = 1;    ///< gnuplot dash type, 1: solid
  int marker = 7;  ///< gnuplot point type
  bool line = true, markers = false;
};

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
  void rectangle(const Rect& rect, const std::string& fill);
  void frame(const Rect& rect, const std::string& color, double width);
  void marker(double x, double y, const CurveStyle& style);
  void image(const Rect& rect, const Image& image);
  /// Draws points given in axis units, clipped to `area`; NaN breaks the line.
  void curve(const Rect& area, const Axis& x_axis, const Axis& y_axis, const std::vector<double>& x,
             const std::vector<double>& y, const CurveStyle& style);

  /// Writes the files, each whole or not at all; gnuplot has drawn all of them before the first is written. A PNG has 2
  /// pixels a unit (200 dpi). OutputError, Error.
  void save(const FigureFiles& files) const;

 private:
  /// In one (empty) plot, gnuplot draws all rectangles below all labels and arrows, whatever their order. Fills and the
  /// marks on them can share such a plot, but a fill that is to cover earlier marks needs a new one.
  enum class Kind { plot, fill, mark };
  struct Step {
    std::string commands;  ///< gnuplot
    Kind kind;
    std::string here = {};  ///< in place of `commands` where this machine's fonts draw and lack characters of a text
  };
  std::string terminal(FigureFormat format) const;
  std::string margins(const Rect& area) const;
  std::string body(FigureFormat format) const;

  double width_, height_;
  std::vector<Step> steps_;
  std::vector<Image> images_;
  std::string data_blocks_;
  int blocks_ = 0;
};

}  // namespace ansatz::viz
