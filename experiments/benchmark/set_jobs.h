// Every set of a benchmark as a job of its own: the same program on that set alone, in a part of the run.
#pragma once

#include <string>
#include <vector>

#include "experiments/benchmark/benchmark_options.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

/// Runs the sets whose part is not finished yet, the most expensive first, in parts/<set>/; returns all, in the given
/// order. One that fails is said, has its failure, and does not keep others from running. An error of the first set if
/// none can be run.
std::vector<BenchmarkSet> run_sets(const std::vector<TableSetSize>& sets, const BenchmarkOptions& options,
                                   const RunContext& run);

}  // namespace ansatz::experiments
