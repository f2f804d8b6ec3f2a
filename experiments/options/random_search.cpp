#include "experiments/options/random_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "core/base/error.h"

namespace ansatz::experiments {
namespace {

double bound_of(const std::vector<DrawnAxis>& axes, std::size_t axis, std::size_t side,
                const std::vector<std::string>& cell) {
  const std::string& bound = axes[axis].bounds[side];
  if (const std::optional<double> number = number_in(bound)) return *number;
  for (std::size_t before = 0; before < axis; ++before)
    if (axes[before].key == bound)
      if (const std::optional<double> number = number_in(cell[before])) return *number;
  throw ConfigError(axes[axis].where +
                    ": a bound must be a number, or a key of numbers that stands before this one, is " + bound);
}

std::string draw(const std::vector<DrawnAxis>& axes, std::size_t axis, const std::vector<std::string>& cell,
                 RandomStream& stream) {
  const DrawnAxis& drawn = axes[axis];
  if (!drawn.choices.empty())
    return drawn.choices[static_cast<std::size_t>(stream.below(static_cast<Index>(drawn.choices.size())))];
  const double low = bound_of(axes, axis, 0, cell), high = bound_of(axes, axis, 1, cell), u = stream.uniform();
  if (!(low < high) || !std::isfinite(high - low) || (drawn.logarithmic && !(low > 0)))
    throw ConfigError(fmt::format("{}: nothing can be drawn from {:g} to {:g}{}", drawn.where, low, high,
                                  drawn.logarithmic ? " with a logarithm" : ""));
  return rounded(drawn.logarithmic ? low * std::pow(high / low, u) : low + (high - low) * u);
}

}  // namespace

std::string rounded(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  const double whole = std::round(value);
  const bool is_whole = std::fabs(value - whole) <= 1e-9 * std::fabs(whole) && std::fabs(whole) < kExact;
  return is_whole && std::fabs(whole) >= 1e5 ? fmt::format("{:.0f}", whole) : fmt::format("{:.6g}", value);
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::vector<std::string>> draw_cells(const std::vector<DrawnAxis>& axes, Index trials,
                                                 RandomStream stream) {
  constexpr Index kTries = 100;  // for a cell that is another than those before
  std::vector<std::vector<std::string>> cells;
  std::set<std::vector<std::string>> known;
  for (Index tries = 0; static_cast<Index>(cells.size()) < trials && tries < kTries; ++tries) {
    std::vector<std::string> cell;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) cell.push_back(draw(axes, axis, cell, stream));
    if (!known.insert(cell).second) continue;
    cells.push_back(std::move(cell));
    tries = -1;
  }
  return cells;
}

GridAxis values_drawn(const DrawnAxis& drawn, const std::vector<std::vector<std::string>>& cells, std::size_t axis) {
  GridAxis values{drawn.key, {}, drawn.logarithmic};
  std::set<std::string> found;
  for (const std::vector<std::string>& cell : cells) found.insert(cell[axis]);
  if (!drawn.choices.empty()) {
    for (const std::string& choice : drawn.choices)
      if (found.count(choice) > 0) values.values.push_back(choice);
    return values;
  }
  values.values.assign(found.begin(), found.end());
  std::sort(values.values.begin(), values.values.end(),
            [](const auto& a, const auto& b) { return *number_in(a) < *number_in(b); });
  return values;
}

}  // namespace ansatz::experiments
