#include "core/data/tables/csv_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "core/data/tables/csv_table.h"

namespace ansatz {
namespace {

using Order = std::vector<std::size_t>;

std::size_t target_index(const CsvPlan& plan) { return static_cast<std::size_t>(&plan.target() - plan.columns.data()); }

void write_target(const CsvReader& reader, const Order& order, const CsvPlan& plan, double* out) {
  *out = number_in(reader, reader.cells()[order[target_index(plan)]], plan, plan.target());
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
    write_csv_inputs(reader, order, plan, row.data());
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

PartValues values_of(const std::shared_ptr<const CsvTable>& table) {
  PartValues values;
  values.inputs = csv_rows(table, table->plan->input_names(), write_csv_inputs);
  if (table->plan->task == Task::regression)
    values.targets = csv_rows(table, {table->plan->target().name}, write_target);
  return values;
}

}  // namespace

RowSource open_csv(const std::filesystem::path& path, const CsvOptions& options, Task task) {
  if (path.empty()) throw DataError("csv: `path` is not given: the CSV file");
  const std::shared_ptr<CsvTable> train = open_csv_table(path);
  if (looks_like_arff(train->text))
    throw DataError(train->label +
                    ": this is an ARFF file, and `csv` reads a header line and rows; save it as CSV (Weka's viewer, or "
                    "scipy.io.arff and pandas), or read it by the experiment benchmark with collection.kind: tables");
  return open_csv(train, options.test_path.empty() ? nullptr : open_csv_table(options.test_path), options, task);
}

RowSource open_csv(const std::shared_ptr<CsvTable>& train, const std::shared_ptr<CsvTable>& test,
                   const CsvOptions& options, Task task) {
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
  outline.table = schema_of(*plan);
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
