// "Did you mean ...?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ansatz {

/// The candidate closest to `word` by edit distance, or "" if none is near. For all error messages that suggest a word.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ansatz
