#include "experiments/benchmark/results/set_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/record/benchmark/benchmark_scores.h"

namespace ansatz::experiments {
namespace {

bool has_scores(const BenchmarkSet& set) {
  return std::any_of(set.results.begin(), set.results.end(),
                     [&](const MethodOnSet& result) { return std::isfinite(set.score(result.method).mean); });
}

bool is_of_size(const BenchmarkSet& set, SizeOfSets size, Index boundary) {
  switch (size) {
    case SizeOfSets::any:
      return true;
    case SizeOfSets::small:
      return set.rows <= boundary;
    case SizeOfSets::large:
      return set.rows > boundary;
    case SizeOfSets::categorical:
      return std::any_of(set.column_groups.begin(), set.column_groups.end(),
                         [](const ColumnGroup& group) { return group.one_hot; });
  }
  return false;
}

struct SizeWords {
  SizeOfSets size;
  const char* prefix;
  std::string words;
};

}  // namespace

std::vector<SetGroup> set_groups(Index size_boundary) {
  struct TaskWords {
    std::vector<Task> tasks;
    const char *prefix, *words;
  };
  const std::vector<TaskWords> tasks = {
      {{Task::classification}, "", ""},
      {{Task::regression}, "regression.", "regression"},
      {{Task::classification, Task::regression}, "tasks.", "classification and regression"}};
  std::vector<SizeWords> sizes = {{SizeOfSets::any, "", ""}};
  if (size_boundary > 0) {
    sizes.push_back({SizeOfSets::small, "small.", fmt::format("sets of up to {} rows", size_boundary)});
    sizes.push_back({SizeOfSets::large, "large.", fmt::format("sets of more than {} rows", size_boundary)});
  }
  sizes.push_back({SizeOfSets::categorical, "categorical.", "sets with categories"});
  std::vector<SetGroup> groups;
  for (const TaskWords& task : tasks)
    for (const SizeWords& size : sizes) {
      std::string words = task.words;
      if (!size.words.empty()) words += (words.empty() ? "" : ", ") + size.words;
      groups.push_back(
          {task.tasks, size.size, std::string(task.prefix) + size.prefix, words.empty() ? "" : words + ": "});
    }
  return groups;
}

std::vector<const BenchmarkSet*> sets_of(const SetGroup& group, const BenchmarkRecord& record, Index size_boundary) {
  if (tasks_of(record).size() < group.tasks.size()) return {};
  std::vector<const BenchmarkSet*> sets;
  for (const BenchmarkSet& set : record.sets)
    if (has_scores(set) && std::find(group.tasks.begin(), group.tasks.end(), set.task) != group.tasks.end() &&
        is_of_size(set, group.size, size_boundary))
      sets.push_back(&set);
  return sets;
}

}  // namespace ansatz::experiments
