#include "core/data/tables/cell_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "core/data/tables/csv.h"

namespace ansatz {
namespace {

constexpr std::string_view kMinus = "\xE2\x88\x92";  // U+2212
constexpr std::size_t kLongest = 64;                 // bytes: longer texts are no numbers, and cut short in messages

/// Characters that hardly show, if at all.
constexpr std::pair<std::string_view, const char*> kBlank[] = {{"\xC2\xA0", "a no-break space"},
                                                               {"\xC2\xAD", "a soft hyphen"},
                                                               {"\xE2\x80\x8B", "a space of no width"},
                                                               {"\xE2\x80\xAF", "a narrow no-break space"},
                                                               {"\xEF\xBB\xBF", "a byte order mark"}};

std::string without_blanks(std::string text) {
  for (const auto& [bytes, name] : kBlank)
    for (std::size_t at; (at = text.find(bytes)) != std::string::npos;) text.erase(at, bytes.size());
  return text;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

bool matches(std::string_view text, const std::regex& pattern) {
  return std::regex_match(text.begin(), text.end(), pattern);
}

/// The text of a cell without currency signs, percent signs, brackets and the sign.
struct Stripped {
  std::string body;
  const char* removed = nullptr;  ///< what the cell was, such as "a percentage"; null if nothing was removed
};

Stripped stripped(std::string_view cell) {
  static const std::regex with_currency(
      "([+-]?)(?:\\$|US\\$|\xE2\x82\xAC|\xC2\xA3|\xC2\xA5|EUR|USD|GBP|CHF)\\s*([+-]?.*)|"
      "(.*?)\\s*(?:\\$|\xE2\x82\xAC|\xC2\xA3|\xC2\xA5|EUR|USD|GBP|CHF)");
  std::string text(cell);
  std::smatch found;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    return {text.substr(1, text.size() - 2), "a number in brackets"};
  if (text.size() > 1 && text.back() == '-')
    return {text.substr(0, text.size() - 1), "a number with its sign at the end"};
  if (text.size() > 1 && text.back() == '%')
    return {std::string(trimmed(text.substr(0, text.size() - 1))), "a percentage"};
  if (std::regex_match(text, found, with_currency))
    return {found[2].matched ? found[1].str() + found[2].str() : found[3].str(), "a number with a currency"};
  return {text, nullptr};
}

/// If the text is a number spelled in a way that is not read, the name of that way; else null.
const char* spelling_of_digits(const std::string& body, char decimal) {
  // Spaces between groups of three: plain, no-break, narrow no-break and thin ones.
  static const std::regex comma("[+-]?\\d*,\\d+(?:[eE][+-]?\\d+)?"), point("[+-]?\\d*\\.\\d+(?:[eE][+-]?\\d+)?"),
      groups(
          "[+-]?\\d{1,3}(?:(?:,\\d{3})+(?:\\.\\d*)?|(?:\\.\\d{3})+,\\d*|(?:\\.\\d{3}){2,}|"
          "(?:(?:[ '_]|\xC2\xA0|\xE2\x80\xAF|\xE2\x80\x89|\xE2\x80\x99)\\d{3})+(?:[.,]\\d*)?)"),
      hexadecimal("[+-]?0[xX][0-9a-fA-F]+"), fortran("[+-]?\\d+\\.?\\d*[dD][+-]?\\d+"), msvc("[+-]?1\\.#INF");
  if (decimal == '.' && matches(body, comma))
    return matches(body, groups) ? "a number with a decimal comma or with thousands separators"
                                 : "a number with a decimal comma";
  if (matches(body, groups)) return "a number with thousands separators";
  if (decimal == ',' && matches(body, point)) return "a number with a decimal point, where `decimal` is a comma";
  if (matches(body, hexadecimal)) return "a hexadecimal number";
  if (matches(body, fortran)) return "a number with Fortran's exponent";
  if (matches(body, msvc)) return "infinite";
  return nullptr;
}

}  // namespace

const std::vector<std::string>& default_missing_values() {
  static const std::vector<std::string> words = {
      "NA",   "N/A", "NaN", "nan",  "na",   "n/a",      "NAN", "-NaN",   "-nan",    "null",    "NULL",     "Null",
      "None", "Nan", "Na",  "<NA>", "#N/A", "#N/A N/A", "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "?"};
  return words;
}

CellFormat::CellFormat(Options options) : options_(std::move(options)) {
  for (const std::string& word : options_.missing_values)
    if (const std::optional<double> value = number(word)) missing_numbers_.push_back(*value);
}

bool CellFormat::is_missing(std::string_view cell) const {
  const auto listed = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), cell) != words.end();
  };
  if (cell.empty() || listed(options_.missing_values)) return true;
  // A quick test first, since most cells are numbers: all the words hold an N, a # or a ?, which no number does.
  constexpr std::size_t kLongestWord = 8;
  const bool may_be = cell.size() <= kLongestWord && cell.find_first_of("Nn#?") != std::string_view::npos;
  if (may_be && options_.default_missing_values && listed(default_missing_values())) return true;
  if (missing_numbers_.empty()) return false;
  const std::optional<double> value = number(cell);
  return value && std::find(missing_numbers_.begin(), missing_numbers_.end(), *value) != missing_numbers_.end();
}

std::optional<double> CellFormat::number(std::string_view cell) const {
  cell = trimmed(cell);
  if (options_.decimal == '.' && cell.substr(0, kMinus.size()) != kMinus) return parse_number(cell);
  std::string text;
  if (cell.substr(0, kMinus.size()) == kMinus) {
    text = "-";
    cell.remove_prefix(kMinus.size());
    if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) return std::nullopt;
  }
  text += cell;
  if (options_.decimal != '.') {
    if (text.find('.') != std::string::npos) return std::nullopt;
    if (const std::size_t at = text.find(options_.decimal); at != std::string::npos) text[at] = '.';
  }
  return parse_number(text);
}

std::string CellFormat::other_spelling(std::string_view cell) const {
  cell = trimmed(cell);
  if (cell.size() > kLongest || std::none_of(cell.begin(), cell.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return "";
  std::string text(cell);
  if (text.compare(0, kMinus.size(), kMinus) == 0) text.replace(0, kMinus.size(), "-");
  const Stripped inner = stripped(text);
  const char* const digits = spelling_of_digits(inner.body, options_.decimal);
  if (inner.removed != nullptr && (digits != nullptr || number(inner.body))) return inner.removed;
  if (digits != nullptr) return digits;
  const std::string hidden = hidden_characters(cell);
  return !hidden.empty() && number(without_blanks(text)) ? "a number with " + hidden : "";
}

std::string common_unit(const std::vector<std::string>& texts) {
  static const std::regex with_unit("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(\\s*[^\\d\\s.,:/+-][^\\d]*)");
  std::string unit;
  const bool same_unit = std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    std::smatch found;
    if (text.size() > kLongest || !std::regex_match(text, found, with_unit)) return false;
    if (unit.empty()) unit = found[1];
    return unit == found[1];
  });
  return same_unit ? unit : "";
}

bool are_dates(const std::vector<std::string>& texts) {
  static const std::regex date(
      "(?:\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}|\\d{1,2}([-/.])\\d{1,2}\\2\\d{2,4})(?:[T ]+\\d{1,2}:\\d{2}.{0,20})?|"
      "\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?\\s*(?:[aApP][mM])?");
  return !texts.empty() && std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.size() <= kLongest && std::regex_match(text, date);
  });
}

std::string in_quotes(std::string_view cell) {
  std::size_t end = std::min(cell.size(), kLongest);
  while (end > 0 && end < cell.size() && is_continuation(cell[end])) --end;  // not within a character
  const bool readable = is_utf8(cell);
  std::string text = "\"";
  for (const char c : cell.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !readable))
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text + (end < cell.size() ? "...\"" : "\"");
}

std::string hidden_characters(std::string_view text) {
  for (const auto& [bytes, name] : kBlank)
    if (text.find(bytes) != std::string_view::npos) return name;
  if (!text.empty() && (text.front() == ' ' || text.back() == ' ')) return "a space at an end";
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {  // U+0300 to U+036F
    const auto lead = static_cast<unsigned char>(text[i]), next = static_cast<unsigned char>(text[i + 1]);
    if (lead == 0xCC || (lead == 0xCD && next < 0xB0)) return "an accent as a character of its own";
  }
  return "";
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead < 0x80 ? 0 : lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : -1;
    if (more < 0) return false;
    for (int k = 0; k < more; ++k, ++i)
      if (i >= text.size() || !is_continuation(text[i])) return false;
  }
  return true;
}

}  // namespace ansatz
