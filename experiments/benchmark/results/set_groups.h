// Groups of the sets of a benchmark over which findings are.
#pragma once

#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz::experiments {

enum class SizeOfSets { any, small, large, categorical };

struct SetGroup {
  std::vector<Task> tasks;
  SizeOfSets size = SizeOfSets::any;
  std::string prefix;  ///< of the names of findings: "regression.large."
  std::string words;   ///< before their meanings: "regression, sets of more than 5000 rows: "; "" of all classification

  bool all_sizes() const { return size == SizeOfSets::any; }
  bool one_task() const { return tasks.size() == 1; }
};

/// Classification (no prefix), regression. and tasks. (both); of each all sets, those of up to `size_boundary` rows
/// (small.), those of more (large.), and those with one-hot columns (categorical.). Without a boundary (0) no small.
/// and large.
std::vector<SetGroup> set_groups(Index size_boundary);

/// The sets of the group that have scores; for tasks. none unless there are sets of both.
std::vector<const BenchmarkSet*> sets_of(const SetGroup& group, const BenchmarkRecord& record, Index size_boundary);

}  // namespace ansatz::experiments
