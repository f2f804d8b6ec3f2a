#include "core/data/tables/categories.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/data/tables/csv.h"

namespace ansatz {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The usual spelling of a whole number: "12" for "12", "+12" and "12.00". Nothing if the text is not a whole number in
/// decimal digits, or has leading zeros.
std::optional<std::string> whole_number(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view digits = text.substr(0, point);
  if (!is_digits(digits) || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  if (point != std::string_view::npos && text.find_first_not_of('0', point + 1) != std::string_view::npos)
    return std::nullopt;
  return (negative && digits != "0" ? "-" : "") + std::string(digits);
}

/// Whether a < b as numbers, both spelled as whole_number() gives them.
bool is_less(const std::string& a, const std::string& b) {
  const bool a_negative = a.front() == '-', b_negative = b.front() == '-';
  if (a_negative != b_negative) return a_negative;
  if (a.size() != b.size()) return (a.size() < b.size()) != a_negative;
  return a_negative ? b < a : a < b;
}

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Sorts by value if all texts are numbers (equal ones as text), otherwise all as text.
void sort_numbers_or_text(std::vector<std::string>& names) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& name : names) {
    if (const std::optional<double> number = finite_number(name)) numbers.emplace_back(*number, name);
  }
  if (numbers.size() < names.size()) return std::sort(names.begin(), names.end());
  std::sort(numbers.begin(), numbers.end());
  std::transform(numbers.begin(), numbers.end(), names.begin(), [](const auto& n) { return n.second; });
}

/// A form of the name that is the same for names that differ only in spelling.
std::string without_spelling(const std::string& name) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: from here on a double does not tell whole numbers apart
  const std::optional<double> number = finite_number(name);
  if (number && std::abs(*number) < kExact) return fmt::format("{}", *number);
  const std::size_t begin = name.find_first_not_of(" \t"), end = name.find_last_not_of(" \t");
  std::string lower = begin == std::string::npos ? "" : name.substr(begin, end - begin + 1);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

void Categories::add(std::string_view value) {
  if (texts_.find(value) == texts_.end()) texts_.emplace(value);
}

void Categories::finish() {
  names_.assign(texts_.begin(), texts_.end());
  whole_ = !names_.empty() && std::all_of(names_.begin(), names_.end(), whole_number);
  if (whole_) {
    for (std::string& name : names_) name = *whole_number(name);
    std::sort(names_.begin(), names_.end(), is_less);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  } else {
    sort_numbers_or_text(names_);
  }
  for (const std::string& name : names_) index_.emplace(name, static_cast<Index>(index_.size()));
}

std::optional<Index> Categories::find(std::string_view value) const {
  const std::optional<std::string> whole = whole_ ? whole_number(value) : std::nullopt;
  const auto found = whole ? index_.find(*whole) : index_.find(value);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::pair<std::string, std::string>> Categories::alike() const {
  std::map<std::string, std::string> first;
  for (const std::string& name : names_) {
    const auto [at, is_new] = first.emplace(without_spelling(name), name);
    if (!is_new) return std::pair(at->second, name);
  }
  return std::nullopt;
}

}  // namespace ansatz
