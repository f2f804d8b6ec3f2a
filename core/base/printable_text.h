// Text of others (file names, cells, keys) as a terminal may show it.
#pragma once

#include <string>
#include <string_view>

namespace ansatz {

/// `text` on one line and harmless: control characters (of ASCII and of C1, which some terminals obey), marks that turn
/// the direction of writing, line separators, and bytes that are no UTF-8 stand as escapes (\n, \t, \x1b, \u202e);
/// everything else, backslashes too, stays as it is.
std::string printable(std::string_view text);

}  // namespace ansatz
