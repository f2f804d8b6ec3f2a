// The pictures of a benchmark, and what they show.
#pragma once

#include <vector>

#include "core/record/benchmark/benchmark_record.h"
#include "core/record/findings/findings_record.h"

namespace ansatz {

/// ranks, paired and improvement, of regression with ".regression" behind the names where there are sets of both tasks.
/// Those that there was nothing to draw of are not in images/.
std::vector<Figure> benchmark_figures(const BenchmarkRecord& record);

}  // namespace ansatz
