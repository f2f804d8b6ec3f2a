#include "experiments/pictures/axis_positions.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ansatz::experiments {
namespace {

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A number, or a list of `entries` numbers that are all the same.
struct Entries {
  double number = 0;
  std::size_t entries = 0;  ///< 0: no list
};

std::optional<Entries> entries_of(const std::string& value) {
  if (value.empty() || value.front() != '[' || value.back() != ']') {
    const std::optional<double> number = number_of(value);
    return number ? std::optional(Entries{*number, 0}) : std::nullopt;
  }
  std::optional<Entries> found;
  for (std::size_t at = 1; at < value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size() - 1);
    const std::size_t first = std::min(value.find_first_not_of(' ', at), end);
    const std::optional<double> number = number_of(value.substr(first, end - first));
    if (!number || (found && found->number != *number)) return std::nullopt;
    found = Entries{*number, found ? found->entries + 1 : 1};
    at = end + 1;
  }
  return found;
}

}  // namespace

AxisPositions axis_positions(const std::vector<std::string>& values, bool logarithmic) {
  AxisPositions positions;
  std::optional<std::size_t> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<Entries> value = entries_of(values[i]);
    positions.numbers &= value && (!entries || *entries == value->entries);
    if (value) entries = value->entries;
    positions.x.push_back(value ? value->number : 0);
  }
  if (!positions.numbers)
    for (std::size_t i = 0; i < positions.x.size(); ++i) positions.x[i] = static_cast<double>(i + 1);
  const auto [low, high] = std::minmax_element(positions.x.begin(), positions.x.end());
  positions.logarithmic = positions.numbers && *low > 0 && (logarithmic || *high >= 30 * *low);
  return positions;
}

}  // namespace ansatz::experiments
