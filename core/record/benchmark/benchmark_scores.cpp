#include "core/record/benchmark/benchmark_scores.h"

#include <algorithm>
#include <cmath>

#include "core/statistics/ranks.h"

namespace ansatz {
namespace {

bool has_scores(const BenchmarkSet& set) {
  return std::any_of(set.results.begin(), set.results.end(),
                     [&](const MethodOnSet& result) { return std::isfinite(set.score(result.method).mean); });
}

}  // namespace

std::vector<Task> tasks_of(const BenchmarkRecord& record) {
  std::vector<Task> tasks;
  for (const Task task : {Task::classification, Task::regression})
    if (std::any_of(record.sets.begin(), record.sets.end(),
                    [&](const BenchmarkSet& set) { return set.task == task && has_scores(set); }))
      tasks.push_back(task);
  return tasks;
}

ScoreTable scores_of(const BenchmarkRecord& record, Task task) {
  ScoreTable table;
  std::vector<const BenchmarkSet*> sets;
  for (const BenchmarkSet& set : record.sets)
    if (set.task == task && has_scores(set)) sets.push_back(&set);
  for (const BenchmarkMethod& method : record.methods) table.methods.push_back(method.label);
  table.scores.resize(static_cast<Index>(sets.size()), static_cast<Index>(table.methods.size()));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    table.sets.push_back(sets[i]->name);
    for (std::size_t j = 0; j < table.methods.size(); ++j)
      table.scores(static_cast<Index>(i), static_cast<Index>(j)) = sets[i]->score(table.methods[j]).mean;
  }
  return table;
}

ScoreTable scores_beside_published(const BenchmarkRecord& record, Task task) {
  ScoreTable table = scores_of(record, task);
  if (task == Task::classification)
    for (const PublishedScores& published : record.published) table = beside(table, published.table);
  return table;
}

std::vector<std::string> best_published(const BenchmarkRecord& record, Task task, std::size_t most) {
  const ScoreTable table = scores_beside_published(record, task);
  const Vector<double> ranks = friedman_ranks(table);
  std::vector<std::size_t> order;
  for (std::size_t j = record.methods.size(); j < table.methods.size(); ++j)
    if (!table.scores.col(static_cast<Index>(j)).array().isNaN().all()) order.push_back(j);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ranks(static_cast<Index>(a)) < ranks(static_cast<Index>(b));
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) names.push_back(table.methods[order[i]]);
  return names;
}

ScoreTable ranked_methods(const BenchmarkRecord& record, Task task) {
  constexpr std::size_t kPublished = 3, kMethods = 16;
  const ScoreTable scores = scores_beside_published(record, task);
  std::vector<std::string> names;
  for (const BenchmarkMethod& method : record.methods)
    if (!scores.scores.col(find_method(scores, method.label)).array().isNaN().all() && names.size() < kMethods)
      names.push_back(method.label);
  for (const std::string& name : best_published(record, task, kPublished)) names.push_back(name);
  return columns_of(scores, names);
}

std::vector<ProtocolPair> protocol_pairs(const BenchmarkRecord& record) {
  std::vector<ProtocolPair> pairs;
  for (std::size_t i = 0; i + 1 < record.methods.size(); ++i)
    if (record.methods[i].kind == record.methods[i + 1].kind && record.methods[i].protocol == "clean" &&
        record.methods[i + 1].protocol == "authors")
      pairs.push_back({i, i + 1});
  return pairs;
}

std::string baseline_of(const BenchmarkRecord& record) {
  return record.find(record.baseline) ? record.baseline : std::string();
}

}  // namespace ansatz
