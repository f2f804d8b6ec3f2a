// Tables: a CSV file with a header line.
#pragma once

#include <memory>

#include "core/data/row_source.h"
#include "core/data/tables/csv_options.h"

namespace ansatz {

struct CsvTable;

/// Opens the file `path` (plain or gzipped) as one piece, or as the training rows if options.test_path has the test
/// rows (with the same columns in any order).
/// - Numeric columns stay as they are.
/// - Listed columns, and columns of text, become one-hot, with an input column for each category of the training file.
///   csv_survey.h says which columns are numbers and which are text.
/// - CellFormat::is_missing() says which cells are missing; options.missing = mean replaces them by the column's mean
///   over the drawn training rows.
/// Throws DataError naming row (of data, from 1), line and column.
RowSource open_csv(const std::filesystem::path& path, const CsvOptions& options, Task task);

/// The same of texts that are at hand (core/data/tables/csv_table.h). `test` may be null; options.test_path is not
/// looked at.
RowSource open_csv(const std::shared_ptr<CsvTable>& train, const std::shared_ptr<CsvTable>& test,
                   const CsvOptions& options, Task task);

}  // namespace ansatz
