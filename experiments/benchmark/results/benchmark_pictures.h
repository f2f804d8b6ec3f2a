// The pictures of a benchmark (PNG and SVG but where said): what the report shows.
#pragma once

#include <filesystem>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz::experiments {

/// Draws, of classification, and of regression with ".regression" behind the names where there are sets of both:
/// - ranks: a critical-difference diagram of the methods and the best published ones; from two sets on
/// - paired: differences of pairs of methods with their intervals
/// - improvement: error below the baseline's over rows and dimension of the sets (Fig. 4c and d)
void draw_benchmark(const BenchmarkRecord& record, const std::filesystem::path& images);

/// Draws top_features and loadings of the feature matrices that methods learned on the set, by name. As SVG alone:
/// there may be a hundred sets, and a PNG takes gnuplot.
void draw_set(const BenchmarkSet& set, const std::filesystem::path& images);

}  // namespace ansatz::experiments
