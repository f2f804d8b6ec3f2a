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

/// Of a score on a set; NaN where the set is left out.
double metric_of(double score, const Extremes& at, TableMetric metric) {
  const auto reaches = [&](double share) { return score / at.most > share - kSameScore ? 1.0 : 0.0; };
  const bool has_share = at.most > 0;
  switch (metric) {
    case TableMetric::score:
      return score;
    case TableMetric::p90:
      return has_share ? reaches(0.90) : kNaN;
    case TableMetric::p95:
      return has_share ? reaches(0.95) : kNaN;
    case TableMetric::pma:
      return has_share ? score / at.most : kNaN;
    case TableMetric::adtm:
      return at.most - at.least >= kSameScore ? (score - at.least) / (at.most - at.least) : kNaN;
    case TableMetric::adtm_printed:
      return has_share ? (score - at.least) / at.most : kNaN;
  }
  return kNaN;
}

Spread spread_of_known(const Vector<double>& values) {
  std::vector<double> known;
  for (const double value : values)
    if (!std::isnan(value)) known.push_back(value);
  return spread_of(std::move(known));
}

}  // namespace

Matrix<double> metric_by_set(const ScoreTable& table, TableMetric metric) {
  Matrix<double> values(table.scores.rows(), table.scores.cols());
  for (Index set = 0; set < values.rows(); ++set) {
    const Extremes at = extremes_of(table.scores, set);
    for (Index method = 0; method < values.cols(); ++method) {
      const double score = table.scores(set, method);
      values(set, method) = std::isnan(score) ? kNaN : metric_of(score, at, metric);
    }
  }
  return values;
}

std::vector<MethodMetrics> table_metrics(const ScoreTable& table) {
  const Vector<double> ranks = friedman_ranks(table);
  const auto by_set = [&](TableMetric metric) { return metric_by_set(table, metric); };
  const Matrix<double> score = by_set(TableMetric::score), p90 = by_set(TableMetric::p90),
                       p95 = by_set(TableMetric::p95), pma = by_set(TableMetric::pma), adtm = by_set(TableMetric::adtm),
                       adtm_printed = by_set(TableMetric::adtm_printed);
  std::vector<MethodMetrics> list;
  for (Index method = 0; method < table.scores.cols(); ++method) {
    MethodMetrics metrics;
    metrics.method = table.methods[static_cast<std::size_t>(method)];
    metrics.score = spread_of_known(score.col(method));
    metrics.sets = static_cast<Index>(metrics.score.values.size());
    metrics.rank = ranks(method);
    metrics.p90 = spread_of_known(p90.col(method)).mean;
    metrics.p95 = spread_of_known(p95.col(method)).mean;
    metrics.pma = spread_of_known(pma.col(method));
    metrics.adtm = spread_of_known(adtm.col(method)).mean;
    metrics.adtm_printed = spread_of_known(adtm_printed.col(method)).mean;
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
