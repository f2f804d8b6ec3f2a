#include "core/csv_dataset.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "core/csv_columns.h"
#include "core/error.h"
#include "core/files.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

/// A file and the plan to read it by.
struct CsvFile {
  std::string text, label;
};

Index category_in(const CsvReader& reader, std::string_view cell, const CsvColumn& column,
                  const std::string& training_label) {
  if (const std::optional<Index> found = column.categories.find(cell)) return *found;
  throw DataError(
      fmt::format("{}, column \"{}\": \"{}\" does not occur in {}", reader.where(), column.name, cell, training_label));
}

template <class Scalar>
Scalar finite(double number, const CsvReader& reader, const CsvColumn& column) {
  const auto value = static_cast<Scalar>(number);
  if (std::isfinite(value)) return value;
  throw DataError(fmt::format("{}, column \"{}\": {} is too large for float32; use precision: float64", reader.where(),
                              column.name, number));
}

/// Writes the input columns of a row.
template <class Scalar>
void write_inputs(const CsvReader& reader, const Order& order, const CsvPlan& plan, Scalar* out) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const CsvColumn& column = plan.columns[i];
    if (column.width() == 0) continue;
    const std::string_view cell = reader.cells()[order[i]];
    Scalar* first = out + column.offset;
    if (is_missing(cell))
      std::fill(first, first + column.width(), std::numeric_limits<Scalar>::quiet_NaN());
    else if (column.kind == Kind::numeric)
      *first = finite<Scalar>(number_in(reader, cell, column), reader, column);
    else
      first[category_in(reader, cell, column, plan.label)] = 1;
  }
}

template <class Scalar>
PartValues<Scalar> read_values(const CsvFile& file, const CsvPlan& plan, Index rows) {
  PartValues<Scalar> values;
  values.inputs = Matrix<Scalar>::Zero(rows, plan.dimension);
  const bool numbers = plan.task == Task::regression;
  if (numbers) values.targets.resize(rows, 1);
  const CsvColumn& target = plan.target();
  const auto t = static_cast<std::size_t>(&target - plan.columns.data());
  Index row = 0;
  walk_csv(file.text, file.label, plan, [&](const CsvReader& reader, const Order& order) {
    write_inputs(reader, order, plan, values.inputs.data() + row * plan.dimension);
    if (numbers) {
      values.targets(row, 0) = finite<Scalar>(number_in(reader, reader.cells()[order[t]], target), reader, target);
    }
    ++row;
  });
  return values;
}

/// Rows and class labels.
PartOutline outline_part(const CsvFile& file, const CsvPlan& plan) {
  PartOutline part;
  const CsvColumn& target = plan.target();
  const auto t = static_cast<std::size_t>(&target - plan.columns.data());
  walk_csv(file.text, file.label, plan, [&](const CsvReader& reader, const Order& order) {
    ++part.rows;
    if (plan.task == Task::classification) {
      part.labels.push_back(category_in(reader, reader.cells()[order[t]], target, plan.label));
    }
  });
  return part;
}

std::vector<std::string> notes_of(const CsvPlan& plan) {
  std::vector<std::string> notes;
  Index numeric = 0;
  std::vector<std::string> one_hot;
  for (const CsvColumn& column : plan.columns) {
    numeric += column.kind == Kind::numeric;
    if (column.kind == Kind::categorical) one_hot.push_back(fmt::format("{} ({})", column.name, column.width()));
  }
  notes.push_back(fmt::format("{}: target {}, {} numeric columns{}", plan.label, plan.target().name, numeric,
                              one_hot.empty() ? "" : fmt::format("; one-hot: {}", fmt::join(one_hot, ", "))));
  if (plan.dropped_rows > 0)
    notes.push_back(
        fmt::format("{}: {} rows with missing values dropped, {} kept", plan.label, plan.dropped_rows, plan.rows));
  if (plan.missing_cells > 0) notes.push_back(fmt::format("{}: {} missing cells", plan.label, plan.missing_cells));
  return notes;
}

CsvFile open_file(const std::filesystem::path& path) { return {read_file_or_gzip(path), path.string()}; }

}  // namespace

template <class Scalar>
DataSource<Scalar> open_csv(const DatasetOptions& options) {
  if (options.path.empty()) throw DataError("csv: dataset.path is not given: the CSV file");
  const auto train = std::make_shared<const CsvFile>(open_file(options.path));
  const auto test =
      std::make_shared<const CsvFile>(options.test_path.empty() ? CsvFile{} : open_file(options.test_path));
  const auto plan = std::make_shared<const CsvPlan>(plan_csv(train->text, train->label, options));
  DataSource<Scalar> source;
  DataOutline& outline = source.outline;
  outline.name = train->label;
  outline.task = options.task;
  outline.dimension = plan->dimension;
  outline.class_names = plan->target().categories.names();
  outline.outputs = options.task == Task::classification ? static_cast<Index>(outline.class_names.size()) : 1;
  outline.input_names = plan->input_names();
  outline.column_groups = plan->column_groups();
  outline.notes = notes_of(*plan);
  outline.train = outline_part(*train, *plan);
  outline.one_piece = options.test_path.empty();
  if (!outline.one_piece) outline.test = outline_part(*test, *plan);
  source.read = [train, test, plan, train_rows = outline.train.rows, test_rows = outline.test.rows](const WantedRows&) {
    DataValues<Scalar> values;
    values.train = read_values<Scalar>(*train, *plan, train_rows);
    if (test_rows > 0) values.test = read_values<Scalar>(*test, *plan, test_rows);
    return values;
  };
  return source;
}

template DataSource<float> open_csv(const DatasetOptions&);
template DataSource<double> open_csv(const DatasetOptions&);

}  // namespace ansatz
