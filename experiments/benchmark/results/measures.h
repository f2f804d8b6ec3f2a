// What is measured of a group of sets: the list from which names and numbers of a benchmark's findings come.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/record/findings/findings_record.h"
#include "experiments/benchmark/results/set_groups.h"

namespace ansatz::experiments {

/// The sets of a group with the scores of all methods on them.
struct GroupScores {
  const BenchmarkRecord& record;          ///< of the sets of the group alone
  std::vector<const BenchmarkSet*> sets;  ///< as in `table`
  ScoreTable table;                       ///< the benchmark's methods first, then published ones
  bool percent = false;                   ///< scores are accuracies
};

GroupScores group_scores(const SetGroup& group, const BenchmarkRecord& record);

struct Measure {
  std::string name;                                 ///< behind the group's prefix: "gap.rfm_clean.laplace"
  bool sizes = true;                                ///< of groups by size, too
  bool both_tasks = false;                          ///< of classification and regression together, too
  bool timed = false;                               ///< equal runs differ in it
  std::function<Finding(const GroupScores&)> find;  ///< without the name

  bool is_of(const SetGroup& group) const { return (sizes || group.all_sizes()) && (both_tasks || group.one_task()); }
};

/// Of each method that learns features. What it is compared with are all methods but the other protocol of its own,
/// which is not another method.
std::vector<Measure> measures(const std::vector<BenchmarkMethod>& methods, const std::string& baseline);

}  // namespace ansatz::experiments
