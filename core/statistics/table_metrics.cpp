#include "core/statistics/table_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/statistics/ranks.h"

namespace ansatz {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The best and the worst score on a set; NaN where there is none.
struct Extremes {
  double least = kNaN, most = kNaN;
};

Extremes extremes_of(const Matrix<double>& scores, Index set) {
  Extremes extremes;
  for (const double score : scores.row(set)) {
    extremes.least = std::fmin(extremes.least, score);  // of a number and NaN: the number
    extremes.most = std::fmax(extremes.most, score);
  }
  return extremes;
}

double share_at_least(const std::vector<double>& values, double bound) {
  if (values.empty()) return kNaN;
  const auto reached = std::count_if(values.begin(), values.end(), [&](double v) { return v > bound - kSameScore; });
  return static_cast<double>(reached) / static_cast<double>(values.size());
}

}  // namespace

std::vector<MethodMetrics> table_metrics(const ScoreTable& table) {
  const Vector<double> ranks = friedman_ranks(table);
  std::vector<MethodMetrics> list;
  for (Index method = 0; method < table.scores.cols(); ++method) {
    std::vector<double> scores, of_best, above_least, above_least_printed;
    for (Index set = 0; set < table.scores.rows(); ++set) {
      const double score = table.scores(set, method);
      if (std::isnan(score)) continue;
      const Extremes at = extremes_of(table.scores, set);
      scores.push_back(score);
      if (at.most > 0) of_best.push_back(score / at.most);
      if (at.most > 0) above_least_printed.push_back((score - at.least) / at.most);
      if (at.most - at.least >= kSameScore) above_least.push_back((score - at.least) / (at.most - at.least));
    }
    MethodMetrics metrics;
    metrics.method = table.methods[static_cast<std::size_t>(method)];
    metrics.sets = static_cast<Index>(scores.size());
    metrics.score = spread_of(std::move(scores));
    metrics.rank = ranks(method);
    metrics.p90 = share_at_least(of_best, 0.90);
    metrics.p95 = share_at_least(of_best, 0.95);
    metrics.pma = spread_of(std::move(of_best));
    metrics.adtm = spread_of(std::move(above_least)).mean;
    metrics.adtm_printed = spread_of(std::move(above_least_printed)).mean;
    list.push_back(std::move(metrics));
  }
  return list;
}

Vector<double> relative_error_decrease(const Vector<double>& scores, const Vector<double>& baseline) {
  Vector<double> decrease(scores.size());
  for (Index i = 0; i < scores.size(); ++i) {
    const double error = 1 - baseline(i);
    decrease(i) = error >= kSameScore ? (scores(i) - baseline(i)) / error : kNaN;
  }
  return decrease;
}

}  // namespace ansatz
