// What the scores of a method on many sets come to: the metrics of Appendix E of Radhakrishnan et al.
#pragma once

#include <string>
#include <vector>

#include "core/statistics/score_table.h"
#include "core/statistics/spread.h"

namespace ansatz {

/// What is averaged over the sets.
enum class TableMetric {
  score,        ///< the score itself
  p90,          ///< 1 where it is at least 0.90 of the best, else 0
  p95,          ///< likewise 0.95
  pma,          ///< score / best
  adtm,         ///< (x - min)/(max - min)
  adtm_printed  ///< (x - min)/max
};

/// The metric of each method on each set, sets x methods; NaN where the set is left out for the method (see
/// MethodMetrics).
Matrix<double> metric_by_set(const ScoreTable& table, TableMetric metric);

/// The best of a set is over the methods of the table. A set on which the method has no score counts for `rank` (see
/// ranks_by_set) and is left out of all else; so are, for what divides by it, sets on which the best is not above 0 (of
/// R^2), and for `adtm` those on which all methods are equal. NaN where no set is left.
struct MethodMetrics {
  std::string method;
  Index sets = 0;           ///< with a score
  Spread score;             ///< average accuracy, or R^2
  double rank = 0;          ///< Friedman: 1 would be the best on every set
  double p90 = 0;           ///< share of the sets on which the score is at least 0.90 of the best
  double p95 = 0;           ///< likewise 0.95
  Spread pma;               ///< score / best: the percentage of the maximum accuracy, as a share
  double adtm = 0;          ///< mean of (x - min)/(max - min): what the paper's text says, and what is 1 for the best
  double adtm_printed = 0;  ///< mean of (x - min)/max: what its formula says
};

/// One a method, in the table's order.
std::vector<MethodMetrics> table_metrics(const ScoreTable& table);

/// By how much a method's error 1 - score is below that of `baseline`, relative to the latter, set by set: (E_b -
/// E)/E_b, Fig. 4d. Of R^2 the error is the share of the variance that is left. NaN where a score is missing or E_b is
/// 0.
Vector<double> relative_error_decrease(const Vector<double>& scores, const Vector<double>& baseline);

}  // namespace ansatz
