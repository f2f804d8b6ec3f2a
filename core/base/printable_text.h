// Makes text from outside (file names, cells, keys) safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace ansatz {

/// `text` on one line, without what a terminal would obey. Escapes (\n, \t, \x1b, \u202e) replace control characters
/// (ASCII's and the C1 set), marks that turn the direction of writing, line separators, and bytes that are not UTF-8.
/// Everything else, backslashes too, stays as it is.
std::string printable(std::string_view text);
/// Of its first `longest` bytes only, with "..." where there are more: a name that a file gives, for a message.
std::string printable(std::string_view text, std::size_t longest);

}  // namespace ansatz
