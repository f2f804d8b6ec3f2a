#include "core/statistics/critical_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/statistics/distributions.h"

namespace ansatz {

double critical_difference(Index methods, Index sets, double alpha) {
  if (methods < 2 || sets < 1) return std::numeric_limits<double>::quiet_NaN();
  const auto k = static_cast<double>(methods), n = static_cast<double>(sets);
  return normal_range_quantile(1 - alpha, methods) / std::sqrt(2.0) * std::sqrt(k * (k + 1) / (6 * n));
}

std::vector<std::vector<Index>> indistinct_groups(const Vector<double>& ranks, double difference) {
  std::vector<Index> order(static_cast<std::size_t>(ranks.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return ranks(a) < ranks(b); });
  std::vector<std::vector<Index>> groups;
  std::size_t covered = 0;  // up to where the group before reached: one that ends there is within it
  for (std::size_t first = 0; first < order.size(); ++first) {
    std::size_t end = first + 1;
    while (end < order.size() && ranks(order[end]) - ranks(order[first]) <= difference) ++end;
    if (end - first >= 2 && end > covered)
      groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                          order.begin() + static_cast<std::ptrdiff_t>(end));
    covered = std::max(covered, end);
  }
  return groups;
}

}  // namespace ansatz
