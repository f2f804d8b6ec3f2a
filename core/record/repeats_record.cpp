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

std::vector<std::string> warnings_of(const std::vector<RunRecord>& seeds) {
  std::vector<std::string> warnings;
  for (const RunRecord& run : seeds)
    for (const std::string& warning : run.warnings)
      warnings.push_back((seeds.size() > 1 ? "seed " + std::to_string(run.seed) + ": " : "") + warning);
  return warnings;
}

}  // namespace ansatz
