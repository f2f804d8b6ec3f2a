// Text in lines of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ansatz {

/// How many columns UTF-8 text takes: one a character, accents that combine with the one before none.
std::size_t display_width(std::string_view text);

/// `text` in lines of at most `width` columns, broken at spaces; lines after the first begin with `indent` spaces. A
/// word that is longer (a path, say) stays whole on a line of its own. The text's own leading spaces stay. At least one
/// line.
std::vector<std::string> folded(std::string_view text, std::size_t width, std::size_t indent = 0);

/// At most `width` columns of it, ending in "…" if that is not all.
std::string cut_to(const std::string& text, std::size_t width);

}  // namespace ansatz
