// Which characters the fonts of this machine can draw. Internal to viz/.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ansatz::viz {

/// The characters for which there is a glyph: those of DejaVu Sans's commonest blocks, and whatever else some font has.
class Glyphs {
 public:
  /// `listed`: lines of fontconfig's format "%{fontformat}|%{charset}", such as "TrueType|20-7e a0 3a3-525". Formats
  /// that Pango does not draw (Type 1, bitmaps) do not count.
  explicit Glyphs(const std::string& listed);
  bool has(std::uint32_t character) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

/// Of the installed fonts, asked once of fontconfig's program fc-list; without it, DejaVu Sans's blocks.
const Glyphs& installed_glyphs();

/// The text with "▯" for every character without a glyph. gnuplot's PNG and PDF would draw a box 20 times as large as
/// the text, over half of the figure.
std::string with_boxes(const std::string& text, const Glyphs& glyphs);

}  // namespace ansatz::viz
