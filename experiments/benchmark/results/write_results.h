// What a benchmark leaves in its folder beside metrics.json.
#pragma once

#include <string>

#include "core/record/benchmark/benchmark_record.h"
#include "core/run/run_directory.h"

namespace ansatz::experiments {

/// - benchmark.csv: a row a set, method and fold; and a CSV file for each of benchmark_tables()
/// - results.md: the headline and all tables but the choices; tables/<name>.tex: each of them by booktabs
/// - images/: draw_benchmark
/// Of a single set only images/: draw_set.
void write_results(const BenchmarkRecord& record, const RunDirectory& directory);

/// The headline and the summary, for a terminal of so many columns (0: as wide as it is).
std::string benchmark_summary(const BenchmarkRecord& record, std::size_t width);

}  // namespace ansatz::experiments
