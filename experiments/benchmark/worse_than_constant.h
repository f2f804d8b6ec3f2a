// Whether a method is of any use on a set.
#pragma once

#include <vector>

#include "core/data/collections/table_set.h"
#include "core/record/benchmark/benchmark_record.h"
#include "experiments/benchmark/set_rounds.h"

namespace ansatz::experiments {

/// Names the methods whose mean score over the folds is below that of a constant: the class that is most frequent among
/// the training rows, or for numbers the mean of the test rows (R^2 of 0). Empty: there is none.
std::string worse_than_constant(const BenchmarkSet& results, const TableSet& set, const std::vector<Round>& rounds);

}  // namespace ansatz::experiments
