#include "viz/canvas/glyphs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>

namespace ansatz::viz {
namespace {

/// Blocks that DejaVu Sans has without gaps: Latin, Greek, Cyrillic, raised and lowered letters, mathematics.
constexpr std::pair<std::uint32_t, std::uint32_t> kCommon[] = {
    {0x20, 0x7E},     {0xA0, 0x2E9},    {0x384, 0x38A},   {0x38E, 0x3A1},   {0x3A3, 0x525},
    {0x1D2E, 0x1D5B}, {0x1D5D, 0x1D6A}, {0x1E00, 0x1EFB}, {0x2000, 0x2064}, {0x2074, 0x208E},
    {0x2090, 0x209C}, {0x2190, 0x2311}, {0x2500, 0x269C}};

/// The code point that begins at `at`, and moves `at` behind it.
std::uint32_t next_character(const std::string& text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0xC0) return lead;
  const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  std::uint32_t code = lead & (0x3Fu >> more);
  for (int k = 0; k < more && at < text.size(); ++k)
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  return code;
}

std::string output_of(const char* command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command, "r"), ::pclose);
  std::string output;
  std::array<char, 4096> part;
  while (pipe) {
    const std::size_t size = std::fread(part.data(), 1, part.size(), pipe.get());
    if (size == 0) break;
    output.append(part.data(), size);
  }
  return output;
}

}  // namespace

Glyphs::Glyphs(const std::string& listed) : ranges_(std::begin(kCommon), std::end(kCommon)) {
  std::istringstream lines(listed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    const std::string format = line.substr(0, bar);
    if (bar == std::string::npos || (format != "TrueType" && format != "CFF")) continue;
    std::istringstream ranges(line.substr(bar + 1));
    ranges >> std::hex;
    for (std::uint32_t first = 0; ranges >> first;) {
      std::uint32_t last = first;
      if (ranges.peek() == '-') ranges.ignore() >> last;
      ranges_.emplace_back(first, last);
    }
  }
}

bool Glyphs::has(std::uint32_t character) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const auto& range) { return character >= range.first && character <= range.second; });
}

const Glyphs& installed_glyphs() {
  static const Glyphs glyphs(output_of("fc-list --format '%{fontformat}|%{charset}\\n' 2>/dev/null"));
  return glyphs;
}

std::string with_boxes(const std::string& text, const Glyphs& glyphs) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t character = next_character(text, at);
    const bool control = character < 0x20 || character == 0x7F;  // gnuplot_string() makes these spaces
    out += control || glyphs.has(character) ? text.substr(begin, at - begin) : "▯";
  }
  return out;
}

}  // namespace ansatz::viz
