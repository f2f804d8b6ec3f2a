// What a set will cost, before it is read.
#pragma once

#include "core/base/cost.h"
#include "experiments/benchmark/benchmark_options.h"

namespace ansatz::experiments {

/// Of all methods on the set, at most: flops, and the bytes held at a time (working_bytes).
Cost set_cost(const TableSetSize& set, const BenchmarkOptions& options);

/// Beside the cost itself: the program and its libraries.
inline constexpr double kJobBytes = 180e6;

}  // namespace ansatz::experiments
