#include "core/data/tables/csv_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/data/tables/csv_columns.h"
#include "core/files/files.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

/// A file, the plan by which it is read, and where each row that is kept begins.
struct CsvTable {
  std::string text, label;
  std::shared_ptr<const CsvPlan> plan;
  Order order;  ///< of the plan's columns
  std::vector<std::size_t> offsets;
};

Index category_in(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column) {
  if (const std::optional<Index> found = column.categories.find(cell)) return *found;
  throw DataError(fmt::format("{}: {} does not occur in {}; {}", place(reader, column), in_quotes(cell), plan.label,
                              column.kind == Kind::target
                                  ? "mend it, or leave the row out"
                                  : "mend it, or say `unknown_category`: zero to have none of its categories"));
}

/// Writes the one-hot code of a cell into zeros.
void write_category(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column,
                    double* first) {
  if (plan.unknown_category == UnknownCategory::zero && !column.categories.find(cell)) return;
  first[category_in(reader, cell, plan, column)] = 1;
}

/// Writes the input columns of a row; NaN for a missing cell.
void write_inputs(const CsvReader& reader, const Order& order, const CsvPlan& plan, double* out) {
  std::fill_n(out, plan.dimension, 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const CsvColumn& column = plan.columns[i];
    if (column.width() == 0) continue;
    const std::string_view cell = reader.cells()[order[i]];
    double* first = out + column.offset;
    if (plan.format.is_missing(cell))
      std::fill(first, first + column.width(), std::numeric_limits<double>::quiet_NaN());
    else if (column.kind == Kind::numeric)
      *first = number_in(reader, cell, plan, column);
    else
      write_category(reader, cell, plan, column, first);
  }
}

/// How many cells of the row are of a category that the training file does not have.
Index unknown_categories(const CsvReader& reader, const Order& order, const CsvPlan& plan) {
  Index count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view cell = reader.cells()[order[i]];
    count += plan.columns[i].kind == Kind::categorical && !plan.format.is_missing(cell) &&
             !plan.columns[i].categories.find(cell);
  }
  return count;
}

std::size_t target_index(const CsvPlan& plan) { return static_cast<std::size_t>(&plan.target() - plan.columns.data()); }

void write_target(const CsvReader& reader, const Order& order, const CsvPlan& plan, double* out) {
  *out = number_in(reader, reader.cells()[order[target_index(plan)]], plan, plan.target());
}

std::string place_of(const CsvTable& table, Index row, const std::string& column) {
  std::string found;
  Index at = 0;
  walk_csv(table.text, table.label, *table.plan, [&](const CsvReader& reader, const Order&) {
    if (at++ == row) found = fmt::format("{}, column {}", reader.where(), in_quotes(column));
  });
  return found;
}

using WriteRow = void (*)(const CsvReader&, const Order&, const CsvPlan&, double* out);

TableRows rows_of(const std::shared_ptr<const CsvTable>& table, std::vector<std::string> names, WriteRow write) {
  TableRows rows;
  const auto columns = static_cast<Index>(names.size());
  rows.where = [table, names = std::move(names)](Index row, Index column) {
    return place_of(*table, row, names[static_cast<std::size_t>(column)]);
  };
  rows.read = [table, columns, write](const std::vector<Index>& drawn, const TableRows::Take& take) {
    const auto count = static_cast<Index>(drawn.size());
    const Index step = rows_of_a_block(columns);
    Matrix<double> block;
    for (Index first = 0; first < count; first += step) {
      block.resize(std::min(step, count - first), columns);
      parallel_tiles(block.rows(), 128, [&](Index begin, Index end) {
        CsvReader reader(table->text, table->plan->delimiter, table->label);
        for (Index i = begin; i < end; ++i) {
          reader.read_at(table->offsets[static_cast<std::size_t>(drawn[static_cast<std::size_t>(first + i)])]);
          write(reader, table->order, *table->plan, block.data() + i * columns);
        }
      });
      take(first, block);
    }
  };
  return rows;
}

/// Rows and class labels of one part. Checks every cell of a test file, as the plan has checked the training file's.
PartOutline outline_part(CsvTable& table, bool is_test, std::vector<std::string>& notes) {
  const CsvPlan& plan = *table.plan;
  PartOutline part;
  Index missing = 0, unknown = 0;
  std::vector<double> row(static_cast<std::size_t>(is_test ? plan.dimension : 0));
  const Index dropped = walk_csv(table.text, table.label, plan, [&](const CsvReader& reader, const Order& order) {
    ++part.rows;
    if (table.order.empty()) table.order = order;
    table.offsets.push_back(reader.offset());
    if (plan.task == Task::classification)
      part.labels.push_back(category_in(reader, reader.cells()[order[target_index(plan)]], plan, plan.target()));
    if (!is_test) return;
    write_inputs(reader, order, plan, row.data());
    unknown += unknown_categories(reader, order, plan);
    double target = 0;
    if (plan.task == Task::regression) write_target(reader, order, plan, &target);
    missing += std::any_of(row.begin(), row.end(), [](double value) { return std::isnan(value); });
  });
  if (is_test && dropped > 0)
    notes.push_back(fmt::format("{}: {} rows with missing values dropped, {} kept", table.label, dropped, part.rows));
  if (unknown > 0)
    notes.push_back(fmt::format("{}: {} cells of categories that {} does not have: none of the column's categories",
                                table.label, unknown, plan.label));
  if (missing > 0)
    notes.push_back(
        fmt::format("{}: missing cells in {} rows become the mean over the training rows", table.label, missing));
  return part;
}

std::shared_ptr<CsvTable> open_table(const std::filesystem::path& path) {
  return std::make_shared<CsvTable>(CsvTable{read_file_or_gzip(path), path.string(), nullptr, {}, {}});
}

PartValues values_of(const std::shared_ptr<const CsvTable>& table) {
  PartValues values;
  values.inputs = rows_of(table, table->plan->input_names(), write_inputs);
  if (table->plan->task == Task::regression)
    values.targets = rows_of(table, {table->plan->target().name}, write_target);
  return values;
}

}  // namespace

RowSource open_csv(const std::filesystem::path& path, const CsvOptions& options, Task task) {
  if (path.empty()) throw DataError("csv: `path` is not given: the CSV file");
  const std::shared_ptr<CsvTable> train = open_table(path);
  const std::shared_ptr<CsvTable> test = options.test_path.empty() ? nullptr : open_table(options.test_path);
  const auto plan = std::make_shared<const CsvPlan>(plan_csv(train->text, train->label, options, task));
  train->plan = plan;
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = train->label;
  outline.task = task;
  outline.dimension = plan->dimension;
  outline.class_names = plan->target().categories.names();
  outline.outputs = task == Task::classification ? static_cast<Index>(outline.class_names.size()) : 1;
  outline.input_names = plan->input_names();
  outline.target_names = {plan->target().name};
  outline.column_groups = plan->column_groups();
  outline.fills_missing = options.missing == MissingValues::mean;
  outline.announcements = plan->notes;
  outline.warnings = plan->warnings;
  outline.train = outline_part(*train, false, outline.announcements);
  outline.one_piece = test == nullptr;
  if (test) {
    test->plan = plan;
    outline.test = outline_part(*test, true, outline.announcements);
  }
  outline.notes = outline.announcements;
  outline.notes.insert(outline.notes.end(), outline.warnings.begin(), outline.warnings.end());
  for (const CsvTable* table : {train.get(), test.get()})
    if (table)
      outline.reading_bytes += static_cast<double>(table->text.size() + table->offsets.size() * sizeof(std::size_t));
  source.read = [train, test](const WantedRows&) {
    DataValues values;
    values.train = values_of(train);
    if (test) values.test = values_of(test);
    return values;
  };
  return source;
}

}  // namespace ansatz
