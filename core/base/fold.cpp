#include "core/base/fold.h"

#include <algorithm>

namespace ansatz {
namespace {

/// The bytes of the character at the beginning of `text`.
std::size_t character_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) ++size;
  return size;
}

/// U+0300 to U+036F.
bool combines(std::string_view character) {
  return character.size() == 2 && ((character[0] == '\xCC') || (character[0] == '\xCD' && character[1] < '\xB0'));
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    if (!combines(text.substr(0, size))) ++width;
    text.remove_prefix(size);
  }
  return width;
}

std::vector<std::string> folded(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines(1);
  std::size_t at = std::min(text.find_first_not_of(' '), text.size());
  lines.back() = std::string(text.substr(0, at));
  bool first_word = true;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!first_word && display_width(lines.back()) + display_width(word) > width) {
      lines.back().erase(lines.back().find_last_not_of(' ') + 1);
      lines.emplace_back(indent, ' ');
    }
    lines.back() += text.substr(at, next - at);
    first_word = false;
    at = next;
  }
  if (display_width(lines.back()) > width) lines.back().erase(lines.back().find_last_not_of(' ') + 1);
  return lines;
}

std::string cut_to(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  std::string out;
  for (std::string_view rest = text; !rest.empty() && display_width(out) + 1 < width;) {
    const std::size_t size = character_size(rest);
    out += rest.substr(0, size);
    rest.remove_prefix(size);
  }
  return width == 0 ? "" : out + "…";
}

}  // namespace ansatz
