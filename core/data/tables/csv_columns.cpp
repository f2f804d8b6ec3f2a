#include "core/data/tables/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/data/tables/csv_survey.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

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

/// For an error about a missing column: what the header has instead, and why that may be.
std::string header_in_words(const std::vector<std::string>& header) {
  constexpr std::size_t kLongest = 2000;
  std::string text = fmt::format("its columns are: {}", fmt::join(header, ", "));
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  const auto numbers =
      std::count_if(header.begin(), header.end(), [](const std::string& h) { return parse_number(h); });
  if (2 * static_cast<std::size_t>(numbers) > header.size())
    return text + "; the first line must name the columns, and these look like values";
  for (const auto& [mark, name] :
       {std::pair(';', ";"), std::pair('\t', "tab"), std::pair('|', "|"), std::pair(',', ",")})
    if (header.size() == 1 && header[0].find(mark) != std::string::npos)
      return fmt::format("{}; is `delimiter` \"{}\"?", text, name);
  return text;
}

void check_known(const std::vector<std::string>& header, const std::string& name, const char* key,
                 const std::string& label) {
  if (lists(header, name)) return;
  const std::string near = nearest(name, header);
  throw DataError(fmt::format("{}: there is no column {} (`{}`); {}", label, in_quotes(name), key,
                              near.empty() ? header_in_words(header) : "did you mean \"" + near + "\"?"));
}

/// Throws if the options give a column two roles, such as target and ignored.
void check_lists(const std::string& label, const CsvOptions& options, Task task) {
  const auto refuse = [&](const std::string& name, const char* key, const char* other) {
    throw DataError(
        fmt::format("{}: column {} is both in `{}` and {}; leave one out", label, in_quotes(name), key, other));
  };
  for (const std::string& name : options.ignore_columns) {
    if (name == options.target_column) refuse(name, "ignore_columns", "`target`");
    if (lists(options.categorical, name)) refuse(name, "ignore_columns", "in `categorical`");
  }
  if (task == Task::regression && lists(options.categorical, options.target_column))
    refuse(options.target_column, "categorical", "the target of a regression");
}

/// The columns with their names, and with their kinds as far as the options decide them.
std::vector<CsvColumn> columns_of(const std::vector<std::string>& header, const std::string& label,
                                  const CsvOptions& options, Task task) {
  check_known(header, options.target_column, "target", label);
  for (const std::string& name : options.categorical) check_known(header, name, "categorical", label);
  for (const std::string& name : options.ignore_columns) check_known(header, name, "ignore_columns", label);
  check_lists(label, options, task);
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
    else if (!is_utf8(name))
      throw DataError(fmt::format("{}: header: the name of column {}, {}, is no UTF-8 text; save the file as UTF-8",
                                  label, columns.size() + 1, in_quotes(name)));
    else if (column.listed)
      column.kind = Kind::categorical;
    columns.push_back(std::move(column));
  }
  const auto is_input = [](const CsvColumn& c) { return c.kind != Kind::target && c.kind != Kind::ignored; };
  if (std::none_of(columns.begin(), columns.end(), is_input))
    throw DataError(label + ": no column is left beside the target");
  return columns;
}

/// For an error about a column that another file lacks: what it may have in its place.
std::string instead_of(const std::string& name, const std::vector<std::string>& header, const CsvPlan& plan) {
  for (const char mark : {';', '\t', '|', ','})
    if (mark != plan.delimiter && header.size() == 1 && header[0].find(mark) != std::string::npos)
      return fmt::format("its header is {}: separate the cells by {}, as that one does", in_quotes(header[0]),
                         plan.delimiter == '\t' ? "tabs" : in_quotes(std::string(1, plan.delimiter)));
  const std::string near = nearest(name, header);
  return near.empty() ? header_in_words(header) : in_quotes(near) + " is another name";
}

/// The place in a file's header of each column of the plan.
Order match_header(const std::vector<std::string>& header, const CsvPlan& plan, const std::string& label) {
  Order order;
  for (const CsvColumn& column : plan.columns) {
    const auto found = std::find(header.begin(), header.end(), column.name);
    if (found == header.end() && column.kind != Kind::ignored) {
      throw DataError(fmt::format("{}: there is no column {}, which {} has; {}", label, in_quotes(column.name),
                                  plan.label, instead_of(column.name, header, plan)));
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

[[noreturn]] void refuse_missing(const CsvReader& reader, std::string_view cell, const CsvColumn& column,
                                 bool can_fill) {
  const bool is_word = lists(default_missing_values(), std::string(cell));
  throw DataError(fmt::format("{}: missing value ({}); set `missing` to {}{}", place(reader, column), in_quotes(cell),
                              can_fill && column.kind != Kind::target ? "drop or mean" : "drop",
                              is_word ? ", or `default_missing_values`: false if it is a category" : ""));
}

/// Whether a missing value drops the row; DataError if there is one and missing values are errors.
bool drops_row(const CsvReader& reader, const Order& order, const CsvPlan& plan) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const CsvColumn& column = plan.columns[i];
    if (column.kind == Kind::ignored) continue;
    const std::string_view cell = reader.cells()[order[i]];
    if (!plan.format.is_missing(cell)) continue;
    if (plan.missing == MissingValues::drop) return true;
    if (plan.missing == MissingValues::error || column.kind == Kind::target)
      refuse_missing(reader, cell, column, plan.can_fill);
  }
  return false;
}

/// Why a row may have more cells than the header, and what to do.
std::string why_too_many(const CsvReader& reader, const CsvPlan& plan, std::size_t columns) {
  const std::vector<std::string_view>& cells = reader.cells();
  if (cells.size() == columns + 1 && cells.back().empty()) return " (a delimiter at the end of the line?)";
  if (cells.size() == columns + 1 && reader.row() == 1 && !plan.format.number(cells.front()))
    return fmt::format("; if {} is the row's name, name that column in the header, too", in_quotes(cells.front()));
  bool numbers = false;  // two neighbouring cells would be one number with a decimal comma between them
  for (std::size_t i = 0; plan.delimiter == ',' && i + 1 < cells.size(); ++i) {
    const std::string joined = fmt::format("{},{}", cells[i], cells[i + 1]);
    if (plan.format.other_spelling(joined).empty()) continue;
    numbers = true;
    if (cells[i].find('.') == std::string_view::npos) continue;
    return fmt::format(
        "; if {} in cells {} and {} is a number with a decimal comma, put such cells in double quotes, "
        "or separate the cells by semicolons (`delimiter`: \";\"), and set `decimal`: \",\"",
        in_quotes(joined), i + 1, i + 2);
  }
  return std::string("; a cell that holds the delimiter must be in double quotes") +
         (numbers ? " (and with decimal commas, `decimal` be \",\")" : "");
}

/// Whether a cell has swallowed whole rows: a stray quote makes everything up to the next quote one cell. Then the
/// lines in the cell have as many delimiters as rows do, and most of what lies between delimiters is numbers, unlike in
/// prose.
bool holds_rows(std::string_view cell, std::size_t columns, char delimiter) {
  const auto breaks = static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
  if (breaks == 0 || columns < 2) return false;
  if (static_cast<std::size_t>(std::count(cell.begin(), cell.end(), delimiter)) != breaks * (columns - 1)) return false;
  std::size_t pieces = 0, numbers = 0;
  for (std::size_t begin = 0; begin <= cell.size(); ++pieces) {
    const std::size_t end = std::min(cell.find_first_of(std::string{'\n', delimiter}, begin), cell.size());
    std::string_view piece = cell.substr(begin, end - begin);
    if (!piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
    numbers += parse_number(piece).has_value();
    begin = end + 1;
  }
  return 2 * numbers >= pieces;
}

void check_row(const CsvReader& reader, const std::vector<std::string>& header, const CsvPlan& plan) {
  const auto& cells = reader.cells();
  if (cells.size() != header.size()) {
    throw DataError(fmt::format("{} has {} cells but the header has {}{}", reader.where(), cells.size(), header.size(),
                                cells.size() > header.size() ? why_too_many(reader, plan, header.size()) : ""));
  }
  if (std::equal(cells.begin(), cells.end(), header.begin()))
    throw DataError(reader.where() + " repeats the header; files joined together? Leave the line out");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (holds_rows(cells[i], header.size(), plan.delimiter))
      throw DataError(
          fmt::format("{}, column {}: a quote opens a cell of {} lines that look like rows; take it out, or "
                      "double it inside quotes",
                      reader.where(), in_quotes(header[i]), std::count(cells[i].begin(), cells[i].end(), '\n') + 1));
  }
}

}  // namespace

char delimiter_of(const std::string& delimiter, const std::string& label) {
  if (delimiter == "tab" || delimiter == "\\t") return '\t';
  if (delimiter.size() == 1 && delimiter != "\"" && delimiter != "\n" && delimiter != "\r") return delimiter.front();
  throw DataError(fmt::format("{}: `delimiter` \"{}\" must be a single character, or tab", label, delimiter));
}

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

CsvPlan plan_csv(std::string_view text, const std::string& label, const CsvOptions& options, Task task) {
  CsvPlan plan;
  plan.label = label;
  plan.delimiter = delimiter_of(options.delimiter, label);
  plan.task = task;
  plan.format = CellFormat(options.cells);
  plan.can_fill = options.can_fill;
  plan.missing = options.missing;
  plan.unknown_category = options.unknown_category;
  CsvReader reader(text, plan.delimiter, label);
  plan.columns = columns_of(read_header(reader, label), label, options, task);
  survey_columns(text, plan);
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
    check_row(reader, header, plan);
    if (drops_row(reader, order, plan))
      ++dropped;
    else
      visit(reader, order);
  }
  return dropped;
}

std::string place(const CsvReader& reader, const CsvColumn& column) {
  return fmt::format("{}, column {}", reader.where(), in_quotes(column.name));
}

double number_in(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column) {
  const std::optional<double> number = plan.format.number(cell);
  if (number && std::isfinite(*number)) return *number;
  const std::string spelling = plan.format.other_spelling(cell);
  const bool word = !number && spelling.empty(), target = column.kind == CsvColumn::Kind::target;
  const char* const what = number ? "infinite" : word ? "not a number" : "not read as a number: ";
  const char* const way = word && target                 ? "; if the targets are classes, set `task`: classification"
                          : spelling.empty()             ? ""
                          : plan.format.decimal() == ',' ? "; write it with digits and a decimal comma"
                                                         : "; write it with digits and a point";
  throw DataError(fmt::format("{}: {} is {}{}{}", place(reader, column), in_quotes(cell), what, spelling, way));
}

}  // namespace ansatz
