// A table of results as text: for a README, a spreadsheet, a paper, a terminal.
#pragma once

#include <string>
#include <vector>

#include "core/record/benchmark/benchmark_record.h"
#include "core/record/benchmark/result_table.h"

namespace ansatz::experiments {

// Columns of seconds are for the terminal alone: equal runs give equal files.

/// Title, table and note, the best of a column in bold.
std::string markdown_table(const ResultTable& table);

/// One header of keys and a row a row; behind a column with deviations one of its name with _sd. Numbers have ten
/// digits; what is undefined stays empty.
std::string csv_table(const ResultTable& table);

/// A tabular by booktabs, with a rule between groups of rows; whatever names hold is set as text.
std::string latex_table(const ResultTable& table);

/// As wide as `width` columns of a terminal allow; 0: as wide as it is.
std::string terminal_table(const ResultTable& table, std::size_t width);

/// A row a set, method and fold: accuracy (a share), mse, r2.
std::string folds_csv(const BenchmarkRecord& record);

}  // namespace ansatz::experiments
