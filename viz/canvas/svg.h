// What has to be changed in gnuplot's SVG before it can be part of a page. Internal to viz/.
#pragma once

#include <string>

namespace ansatz::viz {

inline constexpr const char* kFontName =
    "DejaVu Sans";  ///< clean, wide coverage (subscripts, Greek), comes with gnuplot on Debian
inline constexpr const char* kBoldSuffix =
    ":Bold";  ///< fontconfig's notation, which the svg terminal passes on untouched

/// The SVG with these changes: crisp pixels, a list of fonts of equal widths for machines without the font, bold as a
/// weight, no tool tips with file names, and ids that do not clash when a page has several figures.
std::string finished_svg(std::string svg);

}  // namespace ansatz::viz
