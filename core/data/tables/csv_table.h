// The rows of a CSV file as numbers, by a plan (core/data/tables/csv_columns.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/table_rows.h"
#include "core/data/tables/csv_columns.h"
#include "core/data/transform/input_transform.h"

namespace ansatz {

/// A file, the plan by which it is read, and where each row that is kept begins.
struct CsvTable {
  std::string text, label;
  std::shared_ptr<const CsvPlan> plan;
  std::vector<std::size_t> order;  ///< of the plan's columns
  std::vector<std::size_t> offsets;
};

/// The file's text (plain or gzipped); the rest is still to be filled in.
std::shared_ptr<CsvTable> open_csv_table(const std::filesystem::path& path);

/// Whether the text, after comments, is that of an ARFF file.
bool looks_like_arff(std::string_view text);

/// Writes numbers made of the row that has just been read.
using WriteCsvRow = void (*)(const CsvReader&, const std::vector<std::size_t>& order, const CsvPlan&, double* out);

/// The plan's input columns; NaN for a missing cell. Throws DataError naming the place of a cell that is no number
/// where one is needed, or, unless the plan says that it is none of them, a category that the plan does not have.
void write_csv_inputs(const CsvReader& reader, const std::vector<std::size_t>& order, const CsvPlan& plan, double* out);

/// The place of the cell's value among the column's categories; DataError if it is none of them.
Index category_in(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column);

/// How many cells of the row are of a category that the training file does not have.
Index unknown_categories(const CsvReader& reader, const std::vector<std::size_t>& order, const CsvPlan& plan);

/// What `write` makes of each row that is kept; `names` has one name for each number.
TableRows csv_rows(const std::shared_ptr<const CsvTable>& table, std::vector<std::string> names, WriteCsvRow write);

/// What `plan` makes of a table's columns, for tables to come.
TableSchema schema_of(const CsvPlan& plan);

}  // namespace ansatz
