#include "core/base/printable_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace ansatz {
namespace {

/// One character of UTF-8: its code point and how many bytes it takes. 0 bytes: no valid character begins there.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool shortest = code >= (bytes == 4 ? 0x10000u : bytes == 3 ? 0x800u : 0x80u);
  return surrogate || !shortest || code > 0x10FFFF ? Character{} : Character{code, bytes};
}

bool is_control(std::uint32_t code) {
  const auto within = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  return code < 0x20 || within(0x7F, 0x9F) || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069);
}

std::string escape(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else
      out += is_control(character.code) ? escape(character.code) : std::string(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

std::string printable(std::string_view text, std::size_t longest) {
  return printable(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

}  // namespace ansatz
