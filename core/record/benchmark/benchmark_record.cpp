#include "core/record/benchmark/benchmark_record.h"

#include <cmath>

namespace ansatz {

std::string MethodOnSet::choice_in_words() const {
  std::string words;
  for (const auto& [key, value] : choice) words += (words.empty() ? "" : ", ") + key + " " + value;
  return words;
}

const MethodOnSet* BenchmarkSet::find(const std::string& method) const {
  for (const MethodOnSet& result : results)
    if (result.method == method) return &result;
  return nullptr;
}

Spread BenchmarkSet::score(const std::string& method) const {
  std::vector<double> scores;
  if (const MethodOnSet* result = find(method))
    for (const BenchmarkScore& fold : result->folds) scores.push_back(fold.of(task));
  for (const double score : scores)
    if (!std::isfinite(score)) return spread_of({});
  return spread_of(std::move(scores));
}

const BenchmarkMethod* BenchmarkRecord::find(const std::string& label) const {
  for (const BenchmarkMethod& method : methods)
    if (method.label == label) return &method;
  return nullptr;
}

}  // namespace ansatz
