// What the paper prints for the collections it reports on.
#pragma once

#include <vector>

#include "core/record/benchmark/benchmark_record.h"

namespace ansatz {

/// A line of Fig. 4a or 4b; all but the rank in percent.
struct PrintedRow {
  const char* method;
  double accuracy, p90, p95, pma, pma_sd, rank;
};

struct PrintedTable {
  const char* source;  ///< "Fig. 4a"
  Index sets;          ///< all of the collection, or the smaller ones
  std::vector<PrintedRow> rows;
};

/// Of the UCI study, which a benchmark is known by that has its results beside it: Fig. 4b where no set has more than
/// 5000 rows, else Fig. 4a. None for other collections.
std::vector<PrintedTable> printed_tables(const BenchmarkRecord& record);

/// By how many points the paper's RFM is above its Laplace kernel on all 121 sets.
inline constexpr double kPrintedGap = 85.39 - 83.76;

}  // namespace ansatz
