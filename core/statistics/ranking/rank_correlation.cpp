#include "core/statistics/ranking/rank_correlation.h"

#include <cmath>
#include <limits>
#include <vector>

#include "core/statistics/ranks.h"

namespace ansatz {
namespace {

Vector<double> centered_ranks(const std::vector<double>& values) {
  const Vector<double> ranks =
      average_ranks(Eigen::Map<const Vector<double>>(values.data(), static_cast<Index>(values.size())));
  return ranks.array() - ranks.mean();
}

}  // namespace

RankCorrelation rank_correlation(const Vector<double>& x, const Vector<double>& y) {
  std::vector<double> known_x, known_y;
  for (Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x(i)) || !std::isfinite(y(i))) continue;
    known_x.push_back(x(i));
    known_y.push_back(y(i));
  }
  RankCorrelation result{static_cast<Index>(known_x.size()), std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN()};
  if (result.pairs < 2) return result;
  const Vector<double> a = centered_ranks(known_x), b = centered_ranks(known_y);
  result.rho = a.dot(b) / std::sqrt(a.squaredNorm() * b.squaredNorm());  // 0/0: NaN
  const double squared = result.rho * result.rho;
  if (result.pairs > 3)
    result.standard_error = (1 - squared) * std::sqrt((1 + squared / 2) / static_cast<double>(result.pairs - 3));
  return result;
}

}  // namespace ansatz
