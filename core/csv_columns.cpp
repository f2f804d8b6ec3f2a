#include "core/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/config.h"
#include "core/error.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

constexpr std::size_t kMostAutomaticCategories = 255;  // more different texts than this are no categories: names, dates

std::vector<std::string> read_header(CsvReader& reader, const std::string& label) {
  if (!reader.next()) throw DataError(label + ": empty; the first line must name the columns");
  std::vector<std::string> names(reader.cells().begin(), reader.cells().end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto first = static_cast<std::size_t>(std::find(names.begin(), names.end(), names[i]) - names.begin());
    if (first < i)
      throw DataError(
          fmt::format("{}: header: columns {} and {} are both named \"{}\"", label, first + 1, i + 1, names[i]));
  }
  return names;
}

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_known(const std::vector<std::string>& header, const std::string& name, const char* key,
                 const std::string& label) {
  if (lists(header, name)) return;
  const std::string near = nearest(name, header);
  throw DataError(fmt::format(
      "{}: there is no column \"{}\" (dataset.{}); {}", label, name, key,
      near.empty() ? fmt::format("its columns are: {}", fmt::join(header, ", ")) : "did you mean \"" + near + "\"?"));
}

/// Names and kinds as far as the options decide them.
std::vector<CsvColumn> columns_of(const std::vector<std::string>& header, const std::string& label,
                                  const DatasetOptions& options) {
  check_known(header, options.target_column, "target", label);
  for (const std::string& name : options.categorical) check_known(header, name, "categorical", label);
  for (const std::string& name : options.ignore_columns) check_known(header, name, "ignore_columns", label);
  std::vector<CsvColumn> columns;
  for (const std::string& name : header) {
    CsvColumn column;
    column.name = name;
    column.listed = lists(options.categorical, name);
    if (name == options.target_column)
      column.kind = Kind::target;
    else if (lists(options.ignore_columns, name))
      column.kind = Kind::ignored;
    else if (name.empty())
      throw DataError(
          fmt::format("{}: column {} has no name (an index?): name it in the header, or ignore_columns: [\"\"]", label,
                      columns.size() + 1));
    else if (column.listed)
      column.kind = Kind::categorical;
    columns.push_back(std::move(column));
  }
  const auto is_input = [](const CsvColumn& c) { return c.kind != Kind::target && c.kind != Kind::ignored; };
  if (std::none_of(columns.begin(), columns.end(), is_input))
    throw DataError(label + ": no column is left beside the target");
  return columns;
}

char delimiter_of(const std::string& delimiter, const std::string& label) {
  if (delimiter == "tab" || delimiter == "\\t") return '\t';
  if (delimiter.size() == 1 && delimiter != "\"" && delimiter != "\n" && delimiter != "\r") return delimiter.front();
  throw DataError(fmt::format("{}: dataset.delimiter \"{}\" must be a single character, or tab", label, delimiter));
}

/// Where a file's header has each column of the plan.
Order match_header(const std::vector<std::string>& header, const CsvPlan& plan, const std::string& label) {
  Order order;
  for (const CsvColumn& column : plan.columns) {
    const auto found = std::find(header.begin(), header.end(), column.name);
    if (found == header.end() && column.kind != Kind::ignored) {
      throw DataError(fmt::format("{}: there is no column \"{}\", which {} has", label, column.name, plan.label));
    }
    order.push_back(static_cast<std::size_t>(found - header.begin()));  // an ignored column is never looked at
  }
  for (const std::string& name : header) {
    if (std::none_of(plan.columns.begin(), plan.columns.end(), [&](const CsvColumn& c) { return c.name == name; })) {
      throw DataError(
          fmt::format("{}: {} has no column \"{}\"; leave it out or train with it", label, plan.label, name));
    }
  }
  return order;
}

/// True if a missing value drops the row; DataError if missing values are errors.
bool drops_row(const CsvReader& reader, const Order& order, const CsvPlan& plan) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const CsvColumn& column = plan.columns[i];
    if (column.kind == Kind::ignored || !is_missing(reader.cells()[order[i]])) continue;
    if (plan.missing == MissingValues::drop) return true;
    const bool is_target = column.kind == Kind::target;
    if (plan.missing == MissingValues::error || is_target) {
      throw DataError(fmt::format("{}, column \"{}\": missing value (\"{}\"); set dataset.missing to {}",
                                  reader.where(), column.name, reader.cells()[order[i]],
                                  is_target ? "drop" : "drop or mean"));
    }
  }
  return false;
}

/// First reading: which columns are not numbers, and how many rows and cells count.
void survey(std::string_view text, CsvPlan& plan) {
  const std::size_t n = plan.columns.size();
  std::vector<bool> has_text(n, false);
  std::vector<std::string> infinite(n);  // where a column first has an infinite number
  plan.dropped_rows = walk_csv(text, plan.label, plan, [&](const CsvReader& reader, const Order& order) {
    ++plan.rows;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string_view cell = reader.cells()[order[i]];
      if (plan.columns[i].kind == Kind::ignored) continue;
      if (is_missing(cell)) {
        ++plan.missing_cells;
        continue;
      }
      if (plan.columns[i].kind == Kind::target && plan.task == Task::regression)
        number_in(reader, cell, plan.columns[i]);
      if (has_text[i] || plan.columns[i].kind != Kind::numeric) continue;
      const std::optional<double> number = parse_number(cell);
      has_text[i] = !number;
      if (number && std::isinf(*number) && infinite[i].empty()) infinite[i] = reader.where();
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    CsvColumn& column = plan.columns[i];
    if (has_text[i])
      column.kind = Kind::categorical;
    else if (!infinite[i].empty())
      throw DataError(fmt::format("{}, column \"{}\": infinite value", infinite[i], column.name));
  }
}

/// Second reading: the categories of categorical columns and the classes of the target.
void collect_categories(std::string_view text, CsvPlan& plan) {
  walk_csv(text, plan.label, plan, [&](const CsvReader& reader, const Order& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      CsvColumn& column = plan.columns[i];
      const std::string_view cell = reader.cells()[order[i]];
      const bool labels = column.kind == Kind::target && plan.task == Task::classification;
      if ((column.kind != Kind::categorical && !labels) || is_missing(cell)) continue;
      column.categories.add(cell);
      if (!labels && !column.listed && column.categories.seen() > kMostAutomaticCategories) {
        throw DataError(
            fmt::format("{}, column \"{}\": \"{}\": a text column of more than {} different values; list it in "
                        "dataset.categorical or dataset.ignore_columns",
                        reader.where(), column.name, cell, kMostAutomaticCategories));
      }
    }
  });
  for (CsvColumn& column : plan.columns) column.categories.finish();
}

}  // namespace

Index CsvColumn::width() const {
  if (kind == Kind::categorical) return static_cast<Index>(categories.names().size());
  return kind == Kind::numeric ? 1 : 0;
}

const CsvColumn& CsvPlan::target() const {
  return *std::find_if(columns.begin(), columns.end(), [](const CsvColumn& c) { return c.kind == Kind::target; });
}

std::vector<std::string> CsvPlan::input_names() const {
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) {
    if (column.kind == Kind::numeric) names.push_back(column.name);
    if (column.kind != Kind::categorical) continue;
    for (const std::string& category : column.categories.names()) names.push_back(column.name + "=" + category);
  }
  return names;
}

std::vector<ColumnGroup> CsvPlan::column_groups() const {
  std::vector<ColumnGroup> groups;
  for (const CsvColumn& column : columns) {
    if (column.width() > 0)
      groups.push_back({column.name, column.offset, column.width(), column.kind == Kind::categorical});
  }
  return groups;
}

CsvPlan plan_csv(std::string_view text, const std::string& label, const DatasetOptions& options) {
  CsvPlan plan;
  plan.label = label;
  plan.delimiter = delimiter_of(options.delimiter, label);
  plan.task = options.task;
  plan.missing = options.missing;
  CsvReader reader(text, plan.delimiter, label);
  plan.columns = columns_of(read_header(reader, label), label, options);
  survey(text, plan);
  if (plan.rows == 0) throw DataError(label + ": no rows" + (plan.dropped_rows > 0 ? " without missing values" : ""));
  collect_categories(text, plan);
  for (CsvColumn& column : plan.columns) {
    column.offset = plan.dimension;
    plan.dimension += column.width();
  }
  return plan;
}

Index walk_csv(std::string_view text, const std::string& label, const CsvPlan& plan,
               const std::function<void(const CsvReader&, const std::vector<std::size_t>& order)>& visit) {
  CsvReader reader(text, plan.delimiter, label);
  const std::vector<std::string> header = read_header(reader, label);
  const Order order = match_header(header, plan, label);
  Index dropped = 0;
  while (reader.next()) {
    if (reader.cells().size() != header.size()) {
      throw DataError(
          fmt::format("{} has {} cells but the header has {}", reader.where(), reader.cells().size(), header.size()));
    }
    if (drops_row(reader, order, plan))
      ++dropped;
    else
      visit(reader, order);
  }
  return dropped;
}

double number_in(const CsvReader& reader, std::string_view cell, const CsvColumn& column) {
  const std::optional<double> number = parse_number(cell);
  if (number && std::isfinite(*number)) return *number;
  throw DataError(fmt::format("{}, column \"{}\": \"{}\" is {}", reader.where(), column.name, cell,
                              number ? "infinite" : "not a number"));
}

}  // namespace ansatz
