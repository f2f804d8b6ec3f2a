// A name as part of a command line, in messages that say what to call.
#pragma once

#include <string>

namespace ansatz {

/// `word` as a shell takes it: in single quotes unless it is plain.
std::string shell_word(const std::string& word);

}  // namespace ansatz
