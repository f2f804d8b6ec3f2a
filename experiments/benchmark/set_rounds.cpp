#include "experiments/benchmark/set_rounds.h"

#include "core/base/error.h"

namespace ansatz::experiments {

std::vector<Round> rounds_of(const TableSet& set, const BenchmarkOptions& options, const RandomStream& stream) {
  if (options.splits == SplitKind::given) {
    if (!set.tuning || set.folds.empty())
      throw DataError(set.name + ": the collection gives no tuning split and folds; use `splits`: random");
    return {{*set.tuning, set.folds}};
  }
  std::vector<Round> rounds;
  for (const ThreeWaySplit& split : grinsztajn_splits(set, options.random, stream))
    rounds.push_back({{split.train, split.validation}, {{split.train, split.test}}});
  return rounds;
}

TableSet prepared_set(TableSet set, const BenchmarkOptions& options, const RandomStream& stream) {
  if (options.numeric_only) set = numeric_columns_only(std::move(set));
  if (options.balance_classes) set = balance_classes(std::move(set), stream.named("balance"));
  return set;
}

}  // namespace ansatz::experiments
