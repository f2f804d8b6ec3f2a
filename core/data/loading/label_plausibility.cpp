#include "core/data/loading/label_plausibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/base/error.h"

namespace ansatz {
namespace {

/// Whether the text is a number that is not whole.
bool is_fraction(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value) && value != std::floor(value);
}

}  // namespace

void require_classes(const DataOutline& outline, const std::vector<Index>& train) {
  constexpr std::size_t kNeverTooMany = 5, kMostFractions = 10, kShown = 3;
  std::set<Index> occurring;
  for (const Index row : train)
    if (!outline.train.labels.empty()) occurring.insert(outline.train.labels[static_cast<std::size_t>(row)]);
  if (occurring.size() <= kNeverTooMany) return;
  std::vector<std::string> names;
  for (const Index label : occurring) names.push_back(outline.class_names[static_cast<std::size_t>(label)]);
  const bool fractions = names.size() > kMostFractions && std::any_of(names.begin(), names.end(), is_fraction);
  if (!fractions && 2 * names.size() <= train.size()) return;
  const std::size_t count = names.size();
  names.resize(kShown);
  const std::string column =
      outline.target_names.empty() ? "" : fmt::format(", column \"{}\"", outline.target_names.front());
  throw DataError(fmt::format(
      "{}{}: {} different class labels ({}, ...) in {} training rows{}: are these numbers to predict? Then say `task`: "
      "regression; else use more rows, or fewer classes",
      outline.name, column, count, fmt::join(names, ", "), train.size(), fractions ? ", some of them fractions" : ""));
}

}  // namespace ansatz
