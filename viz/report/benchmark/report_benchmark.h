// What the report says of a benchmark: its tables and pictures, and a page for each set.
#pragma once

#include <filesystem>
#include <string>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz::viz {

/// HTML. `folder`: of the run. Pictures are those of its images/, those of a set in parts/<set>/images/ or, in the run
/// of a single set, in images/; absent ones are left out.
std::string benchmark_sections(const BenchmarkRecord& record, const std::filesystem::path& folder);

}  // namespace ansatz::viz
