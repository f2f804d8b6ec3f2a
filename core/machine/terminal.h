// The terminal that a stream leads to.
#pragma once

#include <cstddef>

namespace ansatz {

/// Back to the beginning of the line, which is then empty.
inline constexpr const char* kFreshLine = "\r\x1b[K";

/// How many columns the terminal has that a file descriptor leads to, now: a window may change its size. 80 if it does
/// not say. 0: there is no terminal, or one that cannot go back in a line (TERM=dumb).
std::size_t terminal_columns(int descriptor);

}  // namespace ansatz
