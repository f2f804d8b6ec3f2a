#include "experiments/benchmark/set_rounds.h"

#include "core/base/error.h"

namespace ansatz::experiments {

std::vector<Round> rounds_of(const TableSet& set, const BenchmarkOptions& options, const RandomStream& stream) {
  if (options.splits == SplitKind::given) {
    if (!set.tuning || set.folds.empty())
      throw DataError(set.name + ": the collection gives no tuning split and folds; use `splits`: random");
    return {{*set.tuning, set.folds}};
  }
  static_cast<void>(stream);
  throw ConfigError("`splits`: random is not there yet");
}

TableSet prepared_set(TableSet set, const BenchmarkOptions& options, const RandomStream& stream) {
  static_cast<void>(stream);
  if (options.numeric_only || options.balance_classes) throw ConfigError("`columns` is not there yet");
  return set;
}

}  // namespace ansatz::experiments
