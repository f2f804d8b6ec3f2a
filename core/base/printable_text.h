// Makes text from outside (file names, cells, keys) safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ansatz {

/// `text` on one line, without what a terminal would obey. Escapes (\n, \t, \x1b, \u202e) replace control characters
/// (ASCII's and the C1 set), marks that turn the direction of writing, line separators, and bytes that are not UTF-8.
/// Everything else, backslashes too, stays as it is.
std::string printable(std::string_view text);

}  // namespace ansatz
