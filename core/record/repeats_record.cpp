#include "core/record/repeats_record.h"

#include <cmath>
#include <limits>
#include <numeric>

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

bool shown_to_people(const std::string& key) {
  const auto has = [&](const char* part) { return key.find(part) != std::string::npos; };
  return has(".test.") || has("diagonal_pearson") || has("top_eigenvector");
}

}  // namespace ansatz
