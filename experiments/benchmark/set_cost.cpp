#include "experiments/benchmark/set_cost.h"

#include <algorithm>

namespace ansatz::experiments {
namespace {

/// How many rows are fitted in the search and in a fold, and how often.
struct Rounds {
  Index search_rows = 0, fold_rows = 0, rounds = 1, folds = 1;
};

/// The study's tuning split is a half, its folds are four quarters; of two files the rows of the first are not known
/// yet.
Rounds rounds_of(const TableSetSize& set, const BenchmarkOptions& options) {
  constexpr Index kFolds = 4;
  const Index most = set.rows - set.rows / kFolds;
  if (options.splits == SplitKind::given) return {set.rows / 2, most, 1, set.two_files ? 1 : kFolds};
  const GrinsztajnOptions& random = options.random;
  const auto share = static_cast<Index>(random.train_fraction * static_cast<double>(set.rows));
  const Index train = std::min(share, random.train_limit);
  const auto rest = static_cast<double>(set.rows - train) * (1 - random.validation_fraction);
  const Index by_rule = grinsztajn_repeats(std::min(static_cast<Index>(rest), random.test_limit));
  return {train, train, random.repeats > 0 ? random.repeats : by_rule, 1};
}

}  // namespace

Cost set_cost(const TableSetSize& set, const BenchmarkOptions& options) {
  const Rounds rounds = rounds_of(set, options);
  const auto number = [](Index value) { return static_cast<double>(value); };
  Cost all;
  for (const NamedMethod& method : options.methods) {
    const Cost search = method.method->search_cost({rounds.search_rows, set.features, set.outputs});
    const Cost fold = method.method->fit_cost({rounds.fold_rows, set.features, set.outputs});
    const double columns = number(static_cast<Index>(columns_of(method, options.protocol).size()));
    all.flops += number(rounds.rounds) * (search.flops + number(rounds.folds) * columns * fold.flops);
    all.working_bytes = std::max({all.working_bytes, search.working_bytes, fold.working_bytes});
  }
  constexpr double kCopies = 4;  // as read, of a fold, scaled in double, and in the precision of the run
  all.working_bytes += kCopies * sizeof(double) * number(set.rows) * number(set.features + set.outputs);
  return all;
}

}  // namespace ansatz::experiments
