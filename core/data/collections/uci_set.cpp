#include "core/data/collections/uci_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/data/collections/row_lists.h"
#include "core/data/collections/uci_description.h"
#include "core/data/formats/find_files.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

constexpr Index kFolds = 4;
// A column is off scale if its means in both files lie more than so many standard deviations of the first apart, and
// more than so many of their standard errors; a file, if a larger share of its columns is.
constexpr double kOffScale = 1, kNoChance = 5, kManyColumns = 0.1;

std::filesystem::path tuning_file(const std::filesystem::path& folder) {
  return require_file(folder, "conxuntos.dat|conxuntos.dat.gz");
}

constexpr const char* kFoldsFile = "conxuntos_kfold.dat|conxuntos_kfold.dat.gz";

std::filesystem::path folds_file(const std::filesystem::path& folder) { return require_file(folder, kFoldsFile); }

/// The rows of one or two files, one after the other.
struct Values {
  std::vector<double> inputs;
  std::vector<Index> classes;
  std::vector<std::string> names;  ///< of the features, by the first file
};

double number_at(const CsvReader& reader, std::size_t column) {
  const std::string_view cell = reader.cells()[column];
  const std::optional<double> number = parse_number(cell);
  if (number && std::isfinite(*number)) return *number;
  throw DataError(fmt::format("{}: cell {}, {}, is no finite number", reader.where(), column + 1, in_quotes(cell)));
}

Index class_at(const CsvReader& reader, std::size_t column, Index classes) {
  const double value = number_at(reader, column);
  if (value >= 0 && value < static_cast<double>(classes) && value == std::floor(value))
    return static_cast<Index>(value);
  throw DataError(fmt::format("{}: {} is no class of 0 to {}{}", reader.where(), value, classes - 1,
                              value == static_cast<double>(classes) ? "; are classes counted from 1?" : ""));
}

void check_cells(const CsvReader& reader, const UciDescription& description) {
  const auto wanted = static_cast<std::size_t>(description.features + 2);
  if (reader.cells().size() != wanted)
    throw DataError(fmt::format("{} has {} cells; there must be {}: an index, {} features and the class",
                                reader.where(), reader.cells().size(), wanted, description.features));
}

void read_rows(const UciDescription& description, const UciDescription::File& file, Values& values) {
  const std::string text = read_file_or_gzip(file.path);
  CsvReader reader(text, '\t', file.path.string());
  if (!reader.next()) throw DataError(file.path.string() + ": empty; the first line must be a header");
  check_cells(reader, description);
  const auto class_column = static_cast<std::size_t>(description.features + 1);
  if (values.names.empty()) values.names.assign(reader.cells().begin() + 1, reader.cells().end() - 1);
  Index rows = 0;
  for (; reader.next(); ++rows) {
    check_cells(reader, description);
    for (std::size_t j = 1; j < class_column; ++j) values.inputs.push_back(number_at(reader, j));
    values.classes.push_back(class_at(reader, class_column, description.classes));
  }
  if (rows != file.rows)
    throw DataError(fmt::format("{}: {} rows, but the set's description says {}; is the file whole?",
                                file.path.string(), rows, file.rows));
}

Dataset<double> dataset_of(const Values& values, const UciDescription& description) {
  const auto rows = static_cast<Index>(values.classes.size());
  Dataset<double> data;
  data.task = Task::classification;
  data.inputs = Eigen::Map<const Matrix<double>>(values.inputs.data(), rows, description.features);
  data.targets = Matrix<double>::Zero(rows, description.classes);
  for (Index i = 0; i < rows; ++i) data.targets(i, values.classes[static_cast<std::size_t>(i)]) = 1;
  for (Index k = 0; k < description.classes; ++k) data.class_names.push_back(std::to_string(k));
  data.feature_names = values.names;
  return data;
}

std::vector<Index> counted_from(Index first, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// The tuning halves. That the file is whole can be seen by the sizes in NAME.txt, or by every row being there.
RowSplit read_tuning(const std::filesystem::path& folder, const UciDescription& description,
                     std::vector<std::string>& notes) {
  const std::filesystem::path path = tuning_file(folder);
  const Index rows = description.files.front().rows;
  RowSplit split = read_row_lists(path, 1, rows).front();
  if (static_cast<Index>(split.train.size()) == description.tuning_train &&
      static_cast<Index>(split.test.size()) == description.tuning_test)
    return split;
  const std::string observation =
      fmt::format("{}: tuning halves of {} and {} rows, but the set's description says {} and {}", path.string(),
                  split.train.size(), split.test.size(), description.tuning_train, description.tuning_test);
  if (!covers_all(split, rows)) throw DataError(observation + "; is the file whole?");
  notes.push_back(observation);
  return split;
}

/// Columns of the second file that are not on the scale of the first, of all that vary in the first; as a sentence, or
/// empty if they are few. The study's archive has some second files as they were before standardisation.
std::string scale_problem(const Matrix<double>& inputs, Index first_rows) {
  const auto first = inputs.topRows(first_rows), second = inputs.bottomRows(inputs.rows() - first_rows);
  const double least = std::max(kOffScale, kNoChance / std::sqrt(static_cast<double>(second.rows())));
  Index varying = 0, off = 0;
  for (Index j = 0; j < inputs.cols(); ++j) {
    const double mean = first.col(j).mean();
    const double sd = std::sqrt((first.col(j).array() - mean).square().mean());
    if (!(sd > 0)) continue;
    ++varying;
    if (std::abs(second.col(j).mean() - mean) > least * sd) ++off;
  }
  if (static_cast<double>(off) <= kManyColumns * static_cast<double>(varying)) return "";
  return fmt::format(
      "its second file is on another scale than its first: {} of {} columns have means that lie more than a standard "
      "deviation apart, as if it had not been standardised",
      off, varying);
}

std::vector<RowSplit> read_four_folds(const std::filesystem::path& folder, Index rows) {
  const std::filesystem::path path = folds_file(folder);
  std::vector<RowSplit> folds = read_row_lists(path, kFolds, rows);
  for (std::size_t i = 0; i < folds.size(); ++i)
    if (!covers_all(folds[i], rows))
      throw DataError(fmt::format("{}: fold {} (lines {} and {}) has {} of the {} rows; is the file whole?",
                                  path.string(), i + 1, 2 * i + 1, 2 * i + 2,
                                  folds[i].train.size() + folds[i].test.size(), rows));
  return folds;
}

/// Of a set of two files, whose second one is left out if it cannot be what models of the first are tested on.
std::vector<RowSplit> read_folds(const std::filesystem::path& folder, const UciDescription& description,
                                 TableSet& set) {
  const Index rows = description.files.front().rows;
  if (description.files.size() == 1) return read_four_folds(folder, rows);
  const std::string problem = scale_problem(set.rows.inputs, rows);
  if (problem.empty()) return {{counted_from(0, rows), counted_from(rows, description.files.back().rows)}};
  if (!find_file(folder, kFoldsFile))
    throw DataError(folder.string() + ": " + problem + "; there are no folds of the first to use in its place");
  set.warnings.push_back(problem + "; that file is left out, and the set has the four folds of the first");
  set.rows.inputs = Matrix<double>(set.rows.inputs.topRows(rows));
  set.rows.targets = Matrix<double>(set.rows.targets.topRows(rows));
  return read_four_folds(folder, rows);
}

/// Notes the classes that no training row of a split has.
void note_missing_classes(const std::string& what, const RowSplit& split, const std::vector<Index>& classes,
                          Index class_count, std::vector<std::string>& notes) {
  const auto count = [&](const std::vector<Index>& rows) {
    std::vector<Index> counts(static_cast<std::size_t>(class_count));
    for (const Index row : rows) ++counts[static_cast<std::size_t>(classes[static_cast<std::size_t>(row)])];
    return counts;
  };
  const std::vector<Index> train = count(split.train), test = count(split.test);
  for (std::size_t k = 0; k < train.size(); ++k)
    if (train[k] == 0 && test[k] > 0)
      notes.push_back(fmt::format("{}: class {} has {} test rows and no training row", what, k, test[k]));
}

/// How the four test parts share the rows: they are draws of their own.
std::string overlap_note(const std::vector<RowSplit>& folds, Index rows) {
  std::vector<Index> tested(static_cast<std::size_t>(rows));
  for (const RowSplit& fold : folds)
    for (const Index row : fold.test) ++tested[static_cast<std::size_t>(row)];
  const auto never = std::count(tested.begin(), tested.end(), 0);
  const auto often = std::count_if(tested.begin(), tested.end(), [](Index times) { return times > 1; });
  if (never + often == 0) return "";
  return fmt::format("the test rows of its {} folds overlap: {} rows are in several, {} in none", folds.size(), often,
                     never);
}

}  // namespace

TableSet read_uci_set(const std::filesystem::path& folder) {
  const UciDescription description = read_uci_description(folder);
  Values values;
  for (const UciDescription::File& file : description.files) read_rows(description, file, values);
  TableSet set;
  set.name = folder.filename().string();
  set.source = folder;
  set.rows = dataset_of(values, description);
  set.tuning = read_tuning(folder, description, set.notes);
  set.folds = read_folds(folder, description, set);
  const Vector<double> class_sizes = set.rows.targets.colwise().sum();
  for (Index k = 0; k < description.classes; ++k)
    if (class_sizes(k) == 0) set.notes.push_back(fmt::format("no row is of class {}", k));
  note_missing_classes("tuning", *set.tuning, values.classes, description.classes, set.notes);
  for (std::size_t i = 0; i < set.folds.size(); ++i)
    note_missing_classes(fmt::format("fold {}", i + 1), set.folds[i], values.classes, description.classes, set.notes);
  if (set.folds.size() > 1)
    if (const std::string note = overlap_note(set.folds, set.rows.size()); !note.empty()) set.notes.push_back(note);
  return set;
}

TableSetSize uci_set_size(const std::filesystem::path& folder) {
  const UciDescription description = read_uci_description(folder);
  tuning_file(folder);
  if (description.files.size() == 1) folds_file(folder);
  TableSetSize size;
  size.name = folder.filename().string();
  for (const UciDescription::File& file : description.files) size.rows += file.rows;
  size.features = description.features;
  size.outputs = description.classes;
  size.task = Task::classification;
  size.two_files = description.files.size() == 2;
  return size;
}

}  // namespace ansatz
