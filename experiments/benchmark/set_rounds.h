// Which rows of a set are for choosing options, which for fitting, and which for testing.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "experiments/benchmark/benchmark_options.h"

namespace ansatz::experiments {

/// Options are chosen on `selection`; what is chosen is then fitted and tested in each fold.
struct Round {
  RowSplit selection;
  std::vector<RowSplit> folds;
};

/// One round, the tuning split and the folds of the collection; or a round a random split, in which options are chosen
/// on the validation rows and the model fitted to the training rows is tested once. DataError if the collection gives
/// no splits.
std::vector<Round> rounds_of(const TableSet& set, const BenchmarkOptions& options, const RandomStream& stream);

/// The set as the options want it: numeric columns alone, classes balanced.
TableSet prepared_set(TableSet set, const BenchmarkOptions& options, const RandomStream& stream);

}  // namespace ansatz::experiments
