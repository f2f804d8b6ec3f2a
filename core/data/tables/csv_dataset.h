// Tables: a CSV file with a header line.
#pragma once

#include "core/data/data_source.h"
#include "core/data/tables/csv_options.h"

namespace ansatz {

/// The file `path` (plain or gzipped) in one piece, or with options.test_path as the test rows (same columns, in any
/// order). Numeric columns as they are; listed columns, and those of text, one-hot with a column for each category of
/// the training file (core/data/tables/csv_survey.h says which are which). Missing cells: CellFormat::is_missing;
/// `mean` fills in the mean over the drawn training rows. Throws DataError naming row (of data, from 1), line and
/// column.
DataSource open_csv(const std::filesystem::path& path, const CsvOptions& options, Task task);

}  // namespace ansatz
