// Methods in pairs, over the sets that both have.
#pragma once

#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"
#include "core/statistics/paired.h"

namespace ansatz {

/// Two methods of a table of scores.
struct MethodPair {
  std::string method, against;
  PairedComparison comparison;
};

/// Each method against the baseline; the best (by rank) against each other one; the best against the best published.
std::vector<MethodPair> method_pairs(const BenchmarkRecord& record, Task task);

/// The benchmark's own method with the best rank among all, published ones too; "" without methods.
std::string best_method(const BenchmarkRecord& record, const ScoreTable& scores);

/// "p = 0.0025", "p < 0.0001".
std::string p_text(double p);

}  // namespace ansatz
