#include "experiments/benchmark/worse_than_constant.h"

#include <fmt/format.h>

#include "experiments/results/constant_baseline.h"

namespace ansatz::experiments {
namespace {

/// The mean over the folds of the share of test rows that are of the training rows' most frequent class.
double accuracy_of_constant(const TableSet& set, const std::vector<Round>& rounds) {
  double sum = 0;
  Index folds = 0;
  for (const Round& round : rounds)
    for (const RowSplit& fold : round.folds) {
      Split<double> split;
      split.train = set.rows.rows(fold.train);
      split.test = set.rows.rows(fold.test);
      sum += *constant_prediction(split)->accuracy;
      ++folds;
    }
  return sum / static_cast<double>(folds);
}

double mean_score(const MethodOnSet& result, Task task) {
  double sum = 0;
  for (const BenchmarkScore& fold : result.folds) sum += task == Task::classification ? fold.accuracy : fold.r2;
  return sum / static_cast<double>(result.folds.size());
}

}  // namespace

std::string worse_than_constant(const BenchmarkSet& results, const TableSet& set, const std::vector<Round>& rounds) {
  const bool classes = set.rows.task == Task::classification;
  const double constant = classes ? accuracy_of_constant(set, rounds) : 0;
  std::string names;
  for (const MethodOnSet& result : results.results) {
    if (result.folds.empty() || !(mean_score(result, set.rows.task) < constant)) continue;
    names += (names.empty() ? "" : ", ") + result.method;
  }
  if (names.empty()) return "";
  return classes ? fmt::format("less often right than the most frequent class of the training rows ({:.1f} %): {}",
                               100 * constant, names)
                 : "worse than the mean of the targets (R² below 0): " + names;
}

}  // namespace ansatz::experiments
