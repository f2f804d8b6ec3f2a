// Places, and how text and curves look. Internal to viz/.
#pragma once

#include <string>

#include "viz/canvas/colors.h"

namespace ansatz::viz {

/// In units of 1/100 inch from the figure's top left corner.
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

inline constexpr double kLineSpacing = 1.3;  ///< of text, times its size
inline constexpr double kMarkerSize = 0.55;  ///< gnuplot's point size
inline constexpr double kBandOpacity = 0.2;

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
  int dash = 1;    ///< gnuplot dash type, 1: solid; to 4
  int marker = 7;  ///< gnuplot point type
  bool line = true, markers = false;
};

}  // namespace ansatz::viz
