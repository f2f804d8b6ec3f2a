// The scores of a benchmark as one table, beside what others have published.
#pragma once

#include <vector>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz {

/// Those of which the benchmark has sets that were run, classification first.
std::vector<Task> tasks_of(const BenchmarkRecord& record);

/// Mean over the folds, accuracy or R^2: the benchmark's methods on the sets of that task on which at least one of them
/// has a score.
ScoreTable scores_of(const BenchmarkRecord& record, Task task);

/// The same with the columns of all published methods, where the task is classification.
ScoreTable scores_beside_published(const BenchmarkRecord& record, Task task);

/// The published methods of those sets, the best Friedman rank among all methods first, at most `most`.
std::vector<std::string> best_published(const BenchmarkRecord& record, Task task, std::size_t most);

/// The methods whose mean ranks are compared in a diagram: the first 16 of the benchmark's own that have a score, and
/// the 3 best published ones.
ScoreTable ranked_methods(const BenchmarkRecord& record, Task task);

/// A learned feature matrix under both protocols: places in BenchmarkRecord::methods.
struct ProtocolPair {
  std::size_t clean = 0, authors = 0;
};
std::vector<ProtocolPair> protocol_pairs(const BenchmarkRecord& record);

/// The label of what others are compared with, if it is one of the methods; "" otherwise.
std::string baseline_of(const BenchmarkRecord& record);

}  // namespace ansatz
