#include "core/data/text/characters.h"

#include <utf8proc.h>

#include <string_view>

namespace ansatz {
namespace {

/// Signs that choose between pictures of the character before them (an emoji in colour or not).
bool is_variation_selector(char32_t code) {
  return (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
}

}  // namespace

bool is_word_character(char32_t code) {
  const std::string_view kind = utf8proc_category_string(static_cast<utf8proc_int32_t>(code));  // "Lu": a letter, upper
  if (kind == "Mn" || kind == "Mc") return !is_variation_selector(code);
  return kind.front() == 'L' || kind.front() == 'N' || code == '_';
}

char32_t lower_case(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

}  // namespace ansatz
