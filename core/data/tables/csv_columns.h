// What becomes of each column of a table with a header line: numbers, one-hot categories, or the target.
#pragma once

#include "core/data/dataset.h"
#include "core/data/tables/categories.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/data/tables/csv_options.h"

namespace ansatz {

struct CsvColumn {
  enum class Kind { ignored, target, numeric, categorical };
  std::string name;
  Kind kind = Kind::numeric;
  bool listed = false;    ///< categorical because the options say so
  Index offset = 0;       ///< the first of the input columns that it becomes
  Categories categories;  ///< of a categorical column, or the classes of the target
  Index width() const;    ///< how many input columns it becomes
};

/// How a training file is read. If test rows are in another file, that one is read by the same plan.
struct CsvPlan {
  std::string label;  ///< the training file's name
  char delimiter = ',';
  Task task = Task::regression;
  CellFormat format;
  bool can_fill = true;
  MissingValues missing = MissingValues::error;
  UnknownCategory unknown_category = UnknownCategory::error;
  std::vector<CsvColumn> columns;  ///< in the training file's order
  Index dimension = 0;
  Index rows = 0;  ///< kept
  Index dropped_rows = 0;
  std::vector<std::string> notes, warnings;  ///< what the columns became, and what is odd about them

  const CsvColumn& target() const;
  std::vector<std::string> input_names() const;    ///< "age", "color=red", ...
  std::vector<ColumnGroup> column_groups() const;  ///< the input columns: numbers single, categories together
};

/// The character that CsvOptions::delimiter means; DataError if it is none.
char delimiter_of(const std::string& delimiter, const std::string& label);

/// Makes the plan in two readings: first of what each column holds (core/data/tables/csv_survey.h), then of its
/// categories. Throws DataError naming row and column.
CsvPlan plan_csv(std::string_view text, const std::string& label, const CsvOptions& options, Task task);

/// Calls visit(reader, order) for each row that is kept, where the cell of plan.columns[i] is reader.cells()[order[i]].
/// Returns how many rows were dropped. Throws DataError for a missing header, columns that differ from the plan's, a
/// row of another length, a row that repeats the header, and a missing value that is neither dropped nor replaced.
Index walk_csv(std::string_view text, const std::string& label, const CsvPlan& plan,
               const std::function<void(const CsvReader&, const std::vector<std::size_t>& order)>& visit);

/// The finite number in a cell; DataError naming row and column otherwise.
double number_in(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column);

/// 'houses.csv: row 3 (line 4), column "size"'.
std::string place(const CsvReader& reader, const CsvColumn& column);

}  // namespace ansatz
