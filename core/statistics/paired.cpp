#include "core/statistics/paired.h"

#include <cmath>
#include <limits>
#include <vector>

#include "core/statistics/distributions.h"
#include "core/statistics/score_table.h"
#include "core/statistics/spread.h"

namespace ansatz {

PairedComparison compare_paired(const Vector<double>& a, const Vector<double>& b, double confidence) {
  const Vector<double> differences = a - b;
  PairedComparison result;
  std::vector<double> known;
  for (const double d : differences) {
    if (std::isnan(d)) continue;
    known.push_back(d);
    ++(std::abs(d) < kSameScore ? result.ties : d > 0 ? result.wins : result.losses);
  }
  result.sets = static_cast<Index>(known.size());
  const Spread spread = spread_of(known);
  result.mean = spread.mean;
  result.confidence = confidence;
  result.sd = result.low = result.high = std::numeric_limits<double>::quiet_NaN();
  if (result.sets > 1) {
    const auto n = static_cast<double>(result.sets);
    const double reach = student_t_quantile((1 + confidence) / 2, n - 1) * spread.sd / std::sqrt(n);
    result.sd = spread.sd;
    result.low = spread.mean - reach;
    result.high = spread.mean + reach;
  }
  result.signed_ranks = signed_rank_test(differences);
  return result;
}

}  // namespace ansatz
