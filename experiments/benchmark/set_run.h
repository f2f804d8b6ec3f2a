// All methods on one set.
#pragma once

#include <vector>

#include "experiments/benchmark/set_rounds.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

/// One method on a set, a result for each of its columns (columns_of). Options are chosen on the selection rows of each
/// round and nothing else; targets of test rows are looked at only to score predictions. A method that fails, for
/// numbers or for memory, has that as its result.
std::vector<MethodOnSet> run_method(const NamedMethod& method, Protocol protocol, const TableSet& set,
                                    const std::vector<Round>& rounds, const RandomStream& stream);

/// The set with the results of all methods, one after the other. Finished ones are in state/ and not run again.
BenchmarkSet run_set(const TableSet& set, const BenchmarkOptions& options, const RunContext& run);

}  // namespace ansatz::experiments
