// What gnuplot's SVG needs before it can stand in a page. Internal to viz/.
#pragma once

#include <string>

namespace ansatz::viz {

inline constexpr const char* kFontName =
    "DejaVu Sans";  ///< clean, wide coverage (subscripts, Greek), comes with gnuplot on Debian
inline constexpr const char* kBoldSuffix =
    ":Bold";  ///< fontconfig's notation, which the svg terminal passes on untouched

/// Crisp pixels, a font list with equal widths for machines without the font, bold as a weight, no tool tips with file
/// names, and ids that do not clash when several figures stand in one page.
std::string finished_svg(std::string svg);

}  // namespace ansatz::viz
