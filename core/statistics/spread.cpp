#include "core/statistics/spread.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ansatz {

Spread spread_of(std::vector<double> values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {nan, nan, {}};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : nan, std::move(values)};
}

}  // namespace ansatz
