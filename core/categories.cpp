#include "core/categories.h"

#include <fmt/format.h>

#include <cmath>

#include "core/csv.h"

namespace ansatz {
namespace {

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

void Categories::add(std::string_view value) {
  if (texts_.find(value) == texts_.end()) texts_.emplace(value);
}

void Categories::finish() {
  for (const std::string& text : texts_) {
    if (const std::optional<double> number = finite_number(text))
      by_number_.emplace(*number, 0);
    else {
      by_number_.clear();
      break;
    }
  }
  for (auto& [number, index] : by_number_) {
    index = static_cast<Index>(names_.size());
    names_.push_back(fmt::format("{}", number == 0 ? 0.0 : number));  // the shortest text; no "-0"
  }
  if (!by_number_.empty()) return;
  for (const std::string& text : texts_) {
    by_text_.emplace(text, static_cast<Index>(names_.size()));
    names_.push_back(text);
  }
}

std::optional<Index> Categories::find(std::string_view value) const {
  if (by_number_.empty()) {
    const auto found = by_text_.find(value);
    return found == by_text_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::optional<double> number = finite_number(value);
  const auto found = number ? by_number_.find(*number) : by_number_.end();
  return found == by_number_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ansatz
