#include "core/data/tables/files/open_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/data/formats/find_files.h"
#include "core/data/tables/csv_dataset.h"
#include "core/data/tables/csv_table.h"
#include "core/data/tables/files/arff.h"

namespace ansatz {
namespace {

bool is_arff(std::filesystem::path file) {
  if (file.extension() == ".gz") file = file.stem();
  return file.extension() == ".arff" || file.extension() == ".ARFF";
}

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A table's text as CSV, and how it is to be read.
struct Table {
  std::shared_ptr<CsvTable> csv;
  CsvOptions options;
  std::vector<ArffAttribute> attributes;  ///< of an ARFF file

  std::vector<std::string> header() const {
    CsvReader reader(csv->text, delimiter_of(options.delimiter, csv->label), csv->label);
    if (!reader.next()) throw DataError(csv->label + ": empty; the first line must name the columns");
    return {reader.cells().begin(), reader.cells().end()};
  }
};

/// Makes the ARFF text in `table` CSV text. Its nominal attributes are categories, whatever they look like.
void convert_arff(const TableTarget& target, Table& table) {
  const std::string& label = table.csv->label;
  if (target.delimiter != ",") throw DataError(label + ": `delimiter` is for CSV files; leave it out");
  if (target.cells.decimal != '.') throw DataError(label + ": `decimal` is for CSV files; leave it out");
  ArffTable arff = read_arff(table.csv->text, label);
  table.csv->text = std::move(arff.csv);
  table.attributes = std::move(arff.attributes);
  table.options.cells.default_missing_values = false;  // only ? is, and words such as None are values
}

Table read_table_file(const std::filesystem::path& file, const TableTarget& target) {
  Table table;
  table.csv = open_csv_table(file);
  table.options.delimiter = target.delimiter;
  table.options.categorical = target.categorical;
  table.options.ignore_columns = target.ignore_columns;
  table.options.cells = target.cells;
  table.options.can_fill = false;
  table.options.missing = target.drop_missing ? MissingValues::drop : MissingValues::error;
  if (is_arff(file))
    convert_arff(target, table);
  else if (looks_like_arff(table.csv->text))
    throw DataError(table.csv->label + ": this is an ARFF file; let its name end in .arff");
  table.options.target_column = target.target.empty() ? table.header().back() : target.target;
  for (const ArffAttribute& attribute : table.attributes) {
    const bool is_input =
        attribute.name != table.options.target_column && !lists(target.ignore_columns, attribute.name);
    if (attribute.kind == ArffAttribute::Kind::nominal && is_input && !lists(target.categorical, attribute.name))
      table.options.categorical.push_back(attribute.name);
  }
  return table;
}

/// The task that the cells of a CSV table's target show: texts are classes, numbers may be either.
Task task_of_cells(const Table& table) {
  const CsvOptions& options = table.options;
  const std::vector<std::string> header = table.header();
  const auto column =
      static_cast<std::size_t>(std::find(header.begin(), header.end(), options.target_column) - header.begin());
  const CellFormat format(options.cells);
  CsvReader reader(table.csv->text, delimiter_of(options.delimiter, table.csv->label), table.csv->label);
  reader.next();
  Index numbers = 0, texts = 0;
  while (reader.next()) {
    if (column >= reader.cells().size() || format.is_missing(reader.cells()[column])) continue;
    ++(format.number(reader.cells()[column]) ? numbers : texts);
  }
  if (numbers == 0) return Task::classification;  // also where there is no such column: the plan says so
  throw DataError(fmt::format("{}: the target {} {}: set `task` to regression or classification", table.csv->label,
                              in_quotes(options.target_column),
                              texts == 0 ? "is numbers" : fmt::format("is {} numbers and {} texts", numbers, texts)));
}

Task task_of(const Table& table, const TableTarget& target) {
  if (target.task) return *target.task;
  for (const ArffAttribute& attribute : table.attributes)
    if (attribute.name == table.options.target_column)
      return attribute.kind == ArffAttribute::Kind::numeric ? Task::regression : Task::classification;
  return task_of_cells(table);
}

/// Refuses classes and numbers of which every row has the same.
void require_something_to_predict(const RowSource& source) {
  const DataOutline& outline = source.outline;
  if (outline.task == Task::classification && outline.outputs < 2)
    throw DataError(
        fmt::format("{}: every row is of the class {}", outline.name, in_quotes(outline.class_names.front())));
  if (outline.task == Task::classification || outline.train.rows < 2) return;
  std::vector<Index> rows(static_cast<std::size_t>(outline.train.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Matrix<double> targets = read_table<double>(source.read({rows, {}, {}}).train.targets, rows, 1);
  if (targets.minCoeff() == targets.maxCoeff())
    throw DataError(fmt::format("{}: the target {} is {} in every row", outline.name,
                                in_quotes(outline.target_names.front()), targets(0, 0)));
}

}  // namespace

std::filesystem::path table_file(const std::filesystem::path& folder, const TableTarget& target) {
  if (!target.file.empty()) return require_file(folder, target.file + "|" + target.file + ".gz");
  std::vector<std::filesystem::path> found;
  for (const char* ending : {".csv", ".csv.gz", ".arff", ".arff.gz"})
    if (const auto file = find_file(folder, target.name + ending)) found.push_back(*file);
  if (found.size() > 1)
    throw DataError(fmt::format("{} and {} are both there; say by `file` which is meant", found[0].string(),
                                found[1].filename().string()));
  return found.empty() ? require_file(folder, target.name + ".csv|" + target.name + ".arff") : found.front();
}

RowSource open_table(const std::filesystem::path& folder, const TableTarget& target) {
  const Table table = read_table_file(table_file(folder, target), target);
  RowSource source = open_csv(table.csv, nullptr, table.options, task_of(table, target));
  require_something_to_predict(source);
  return source;
}

}  // namespace ansatz
