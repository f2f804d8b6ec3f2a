#include "viz/canvas/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace ansatz::viz {
namespace {

/// DejaVu Sans advance widths of ' ' to '~' in hundredths of the font size.
constexpr std::array<int, 95> kAdvance = {32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
                                          64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
                                          58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
                                          61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
                                          28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84};
constexpr double kBold = 1.1;  ///< the bold cut is wider

std::size_t length_of_character(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

bool is_raised_or_lowered(const std::string& c) {
  const auto within = [&c](const char* first, const char* last) { return c >= first && c <= last; };
  return c == "²" || c == "³" || c == "¹" || within("⁰", "₎") || within("ᴬ", "ᵪ");
}

double advance(const std::string& character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (lead < 0x80) return lead < 32 || lead == 127 ? 0.32 : kAdvance[lead - 32] / 100.0;
  if (is_raised_or_lowered(character)) return 0.45;
  if (character == "−" || character == "×" || character == "…") return 0.9;
  return character.size() >= 3 && lead >= 0xE3
             ? 1.0
             : 0.68;  // ideographs are square; 0.68 is the average of Greek and accented letters
}

std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = length_of_character(static_cast<unsigned char>(text[i]));
    out.push_back(text.substr(i, size));
    i += size;
  }
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (char c : text) {
    if (static_cast<unsigned char>(c) <= ' ' || c == 127) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Cuts `word` into pieces that are no wider than `width`.
std::vector<std::string> pieces(const std::string& word, double width, double font_size, bool bold) {
  std::vector<std::string> out(1);
  for (const std::string& c : characters(word)) {
    if (!out.back().empty() && text_width(out.back() + c, font_size, bold) > width) out.emplace_back();
    out.back() += c;
  }
  return out;
}

std::string superscript(int number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (char c : std::to_string(number)) out += c == '-' ? "⁻" : digits[c - '0'];
  return out;
}

std::string plain(double value, int decimals) {
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

void drop_trailing_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
}

}  // namespace

double text_width(const std::string& text, double font_size, bool bold) {
  double width = 0;
  for (const std::string& c : characters(text)) width += advance(c);
  return width * font_size * (bold ? kBold : 1);
}

double widest_word(const std::string& text, double font_size) {
  double width = 0;
  for (const std::string& word : words_of(text)) width = std::max(width, text_width(word, font_size));
  return width;
}

std::string shorten(const std::string& text, double width, double font_size) {
  if (text_width(text, font_size) <= width) return text;
  const std::vector<std::string> all = characters(text);
  std::string head, tail;
  for (std::size_t i = 0; i < all.size(); ++i) {  // from both ends in turn
    std::string more_head = head, more_tail = tail;
    if (i % 2 == 0)
      more_head += all[i / 2];
    else
      more_tail.insert(0, all[all.size() - 1 - i / 2]);
    if (text_width(more_head + "…" + more_tail, font_size) > width) break;
    head = more_head, tail = more_tail;
  }
  head.erase(head.find_last_not_of(' ') + 1);
  tail.erase(0, tail.find_first_not_of(' '));
  return head + "…" + tail;
}

std::vector<std::string> wrap(const std::string& text, double width, double font_size, bool bold,
                              std::size_t max_lines) {
  std::vector<std::string> lines;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    const std::size_t first = lines.size();
    for (const std::string& word : words_of(paragraph)) {
      if (lines.size() > first && text_width(lines.back() + " " + word, font_size, bold) <= width) {
        lines.back() += " " + word;
        continue;
      }
      for (const std::string& piece : pieces(word, width, font_size, bold)) lines.push_back(piece);
    }
  }
  if (lines.size() <= max_lines) return lines;
  lines.resize(max_lines);
  if (lines.empty()) return lines;
  std::vector<std::string> last = characters(lines.back());
  std::string& line = lines.back();
  while (!last.empty() && text_width(line + "…", font_size, bold) > width) {
    line.erase(line.size() - last.back().size());
    last.pop_back();
  }
  line += "…";
  return lines;
}

std::vector<std::string> wrap_evenly(const std::string& text, double width, double font_size, bool bold,
                                     std::size_t max_lines) {
  std::vector<std::string> best = wrap(text, width, font_size, bold, max_lines);
  if (best.size() < 2 || text_width(text, font_size, bold) > 0.97 * width * static_cast<double>(best.size()))
    return best;
  const std::size_t words = words_of(text).size();
  for (double narrower = 0.95 * width; best.size() < words; narrower *= 0.95) {
    const std::vector<std::string> lines = wrap(text, narrower, font_size, bold, best.size() + 1);
    if (lines.size() > best.size()) break;
    best = lines;
  }
  return best;
}

std::string power_of_ten(int exponent) { return "10" + superscript(exponent); }

std::string format_number(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (value == 0) return "0";
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.*e", digits - 1, std::abs(value));  // rounds first: 9.99 may become 10
  std::string mantissa = buffer.data();
  const std::size_t e = mantissa.find('e');
  const int exponent = std::atoi(mantissa.c_str() + e + 1);
  std::string out = value < 0 ? "−" : "";
  if (exponent >= -3 && exponent < 5) {
    std::string number = plain(std::strtod(mantissa.c_str(), nullptr), std::max(0, digits - 1 - exponent));
    drop_trailing_zeros(number);
    return out + number;
  }
  mantissa.erase(e);
  drop_trailing_zeros(mantissa);
  return out + (mantissa == "1" ? "" : mantissa + "×") + power_of_ten(exponent);
}

}  // namespace ansatz::viz
