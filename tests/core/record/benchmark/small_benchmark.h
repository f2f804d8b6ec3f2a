// A benchmark of few sets and methods, whose numbers can be checked by hand.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz {

inline MethodOnSet small_result(const std::string& method, const std::vector<double>& accuracies) {
  MethodOnSet result;
  result.method = method;
  for (const double accuracy : accuracies) result.folds.push_back({accuracy, 1 - accuracy, 2 * accuracy - 1});
  result.trials = 4;
  result.choice = {{"ridge", "0.1"}};
  result.validation = BenchmarkScore{accuracies.front(), 0, 0};
  return result;
}

inline BenchmarkSet small_set(const std::string& name, Index rows, const std::vector<MethodOnSet>& results) {
  BenchmarkSet set;
  set.name = name;
  set.rows = rows;
  set.dimension = 3;
  set.outputs = 2;
  set.feature_names = {"age", "city=Oslo", "city=Paris"};
  set.column_groups = {{"age", 0, 1, false}, {"city", 1, 2, true}};
  set.results = results;
  return set;
}

inline LearnedFeatures small_features() {
  LearnedFeatures features{"the tuning split", 4, Vector<double>(3), Vector<double>(2), Matrix<double>(2, 3)};
  features.diagonal << 2, 1, 1;
  features.eigenvalues << 2.5, 1;
  features.eigenvectors << 0.8, -0.6, 0, 0, 0, 1;
  return features;
}

/// RFM (clean) and (authors), Laplace and a forest on three sets, one more that is damaged; one published method.
inline BenchmarkRecord small_benchmark() {
  BenchmarkRecord record;
  record.collection = "small";
  record.baseline = "Laplace";
  record.methods = {{"RFM (clean)", "rfm", "clean", "full M"},
                    {"RFM (authors)", "rfm", "authors", "full M"},
                    {"Laplace", "laplace", "", "a fixed kernel"},
                    {"forest", "random_forest", "", ""}};
  MethodOnSet failed;
  failed.method = "forest";
  failed.failure = "no split";
  record.sets = {small_set("a", 100,
                           {small_result("RFM (clean)", {0.9, 0.8}), small_result("RFM (authors)", {0.95, 0.85}),
                            small_result("Laplace", {0.8, 0.8}), small_result("forest", {0.7, 0.8})}),
                 small_set("b", 1000,
                           {small_result("RFM (clean)", {0.6}), small_result("RFM (authors)", {0.6}),
                            small_result("Laplace", {0.5}), small_result("forest", {0.6})}),
                 small_set("c|d", 500,
                           {small_result("RFM (clean)", {0.7}), small_result("RFM (authors)", {0.7}),
                            small_result("Laplace", {0.75}), failed})};
  for (BenchmarkSet& set : record.sets)
    for (MethodOnSet& result : set.results)
      if (result.method == "RFM (clean)") result.features = small_features();
  BenchmarkSet damaged;
  damaged.name = "damaged";
  damaged.failure = "line 3 has 4 cells";
  record.sets.push_back(damaged);
  record.published = {{"a study", {{"a", "b"}, {"others"}, (Matrix<double>(2, 1) << 0.99, std::nan("")).finished()}}};
  return record;
}

}  // namespace ansatz
