#include "core/base/shell_word.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace ansatz {

std::string shell_word(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-./+,:@%", c) != nullptr;
  });
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace ansatz
