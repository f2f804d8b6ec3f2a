// The numbers that a benchmark stands for, each with what it is known to.
#pragma once

#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"
#include "core/record/findings/findings_record.h"

namespace ansatz::experiments {

/// "rfm_clean" of "RFM (clean)": a method's label in the names of findings, one for each in their order. Labels that
/// come to the same get a number behind.
std::vector<std::string> method_slugs(const std::vector<BenchmarkMethod>& methods);

/// All names that findings of a benchmark of these methods can have (docs/benchmarks.md), whatever its sets.
/// `size_boundary`: rows; 0: none.
std::vector<std::string> benchmark_finding_names(const std::vector<BenchmarkMethod>& methods,
                                                 const std::string& baseline, Index size_boundary);

/// The findings of the sets that were run; a set is one observation, and standard errors are over the sets. Groups of
/// fewer than two sets have none. Ratios of seconds, in which equal runs differ, are among them only where `timed`
/// names them.
std::vector<Finding> benchmark_findings(const BenchmarkRecord& record, Index size_boundary,
                                        const std::vector<std::string>& timed);

/// Whether findings of that name are of a group of sets of which the benchmark has fewer than two.
bool lacks_sets(const std::string& finding, const BenchmarkRecord& record, Index size_boundary);

}  // namespace ansatz::experiments
