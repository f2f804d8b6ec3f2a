// The colours of figures, by what they are for. On a dark page the report gives each of them another value
// (viz/report/dark_figures.cpp), which is why figures use no others for what is not data. Internal to viz/.
#pragma once

namespace ansatz::viz {

inline constexpr const char* kInk = "#222222";    ///< text and axes
inline constexpr const char* kMuted = "#555555";  ///< captions, tick labels
inline constexpr const char* kGridLine = "#e4e4e4";
inline constexpr const char* kFrame = "#9a9a9a";  ///< around pictures
inline constexpr const char* kPaper = "#ffffff";

/// Curves and bars: the colours of Okabe and Ito without yellow.
inline constexpr const char* kSeriesColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000"};

}  // namespace ansatz::viz
