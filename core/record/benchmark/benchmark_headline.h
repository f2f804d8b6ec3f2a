// What a benchmark comes to, in a few sentences.
#pragma once

#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz {

/// Which method is best and by what; whether the RFM is above the baseline, by how much and how sure that is, beside
/// the paper's gap where the collection is the paper's; which sets could not be run. Plain text, a sentence each.
std::vector<std::string> benchmark_headline(const BenchmarkRecord& record);

}  // namespace ansatz
