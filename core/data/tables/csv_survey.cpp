#include "core/data/tables/csv_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/error.h"
#include "core/data/cells/code_signs.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

constexpr std::size_t kMostAutomaticCategories = 255;  // more different texts are not categories, but names or dates
constexpr Index kEnoughRows = 20;                      // fewer rows say little about what a column is
constexpr std::size_t kEnoughLevels = 10;              // fewer texts may well be categories, whatever they look like

/// What was seen in a column whose kind the options leave open.
struct Seen {
  Index numbers = 0, others = 0, missing = 0;
  std::map<std::string, Index, std::less<>> texts;  ///< that are not numbers, at most kMostAutomaticCategories
  std::string first_other, first_other_place, infinite_place, too_long;
  double first = 0;  ///< the first number
  bool constant = true;
  CodeSigns signs;
  Index fractions = 0;  ///< numbers with a decimal point
  Index groups = 0;     ///< numbers that is_group() finds
  Index large = 0;      ///< whole numbers over 999
  std::string group;
};

/// Whether a cell such as "1.200" may be 1200, written with a point that separates thousands.
bool is_group(std::string_view cell, char decimal) {
  const std::size_t at = cell.find(decimal);
  return at >= 1 && at <= 3 && cell.size() == at + 4 && cell.front() != '0' &&
         cell.find_first_not_of("0123456789") == at && cell.find_first_not_of("0123456789", at + 1) == cell.npos;
}

void see_number(const CsvReader& reader, std::string_view cell, double number, const CsvPlan& plan,
                const CsvColumn& column, Seen& seen) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::isinf(number) && seen.infinite_place.empty()) seen.infinite_place = place(reader, column);
  if (is_whole(cell)) {
    if (std::abs(number) > kExact && seen.too_long.empty()) seen.too_long = in_quotes(cell);
    seen.large += std::abs(number) > 999;
  } else {
    ++seen.fractions;
    if (is_group(cell, plan.format.decimal()) && seen.groups++ == 0) seen.group = in_quotes(cell);
  }
  if (seen.numbers == 0) seen.first = number;
  seen.constant = seen.constant && number == seen.first;
  seen.signs.see(cell, number);
  ++seen.numbers;
}

void see_text(const CsvReader& reader, std::string_view cell, const CsvColumn& column, Seen& seen) {
  if (seen.others++ == 0) {
    seen.first_other = cell;
    seen.first_other_place = place(reader, column);
  }
  const auto found = seen.texts.find(cell);
  if (found != seen.texts.end())
    ++found->second;
  else if (seen.texts.size() < kMostAutomaticCategories)
    seen.texts.emplace(cell, 1);
}

void see(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column, Seen& seen) {
  if (plan.format.is_missing(cell)) {
    ++seen.missing;
    return;
  }
  if (column.kind == Kind::target && plan.task == Task::regression) number_in(reader, cell, plan, column);
  if (column.kind == Kind::categorical) return;
  if (const std::optional<double> number = plan.format.number(cell))
    see_number(reader, cell, *number, plan, column, seen);
  else
    see_text(reader, cell, column, seen);
}

/// The first reading: what the columns hold.
std::vector<Seen> see_all(std::string_view text, CsvPlan& plan) {
  std::vector<Seen> seen(plan.columns.size());
  plan.dropped_rows = walk_csv(text, plan.label, plan, [&](const CsvReader& reader, const Order& order) {
    ++plan.rows;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (plan.columns[i].kind != Kind::ignored) see(reader, reader.cells()[order[i]], plan, plan.columns[i], seen[i]);
    }
  });
  if (plan.rows == 0)
    throw DataError(plan.label + ": no rows" + (plan.dropped_rows > 0 ? " without missing values" : ""));
  return seen;
}

/// How many of the different texts that were kept are numbers in another spelling, counted as often as they occur.
Index in_other_spelling(const Seen& seen, const CellFormat& format) {
  Index count = 0;
  for (const auto& [text, cells] : seen.texts) count += format.other_spelling(text).empty() ? 0 : cells;
  return count;
}

[[noreturn]] void refuse_odd_cell(const Seen& seen, const CsvPlan& plan, const CsvColumn& column) {
  const std::string spelling = plan.format.other_spelling(seen.first_other);
  const bool comma = spelling.find("decimal comma") != std::string::npos;
  const std::string name = in_quotes(column.name), cell = in_quotes(seen.first_other);
  std::string text = fmt::format("{}: {} is {}", seen.first_other_place, cell,
                                 spelling.empty() ? "not a number" : "not read as a number (" + spelling + ")");
  text += seen.numbers > 0 ? fmt::format(", {} of the column's {} cells are", seen.numbers, seen.numbers + seen.others)
                           : fmt::format(", nor are the column's other {} cells", seen.others - 1);
  text += comma ? "; set `decimal`: \",\" if it is a decimal comma, or" : "; mend it, or";
  if (seen.numbers > 0) text += fmt::format(" set `missing_values`: [{}] if it means missing, or", cell);
  throw DataError(fmt::format("{} set `categorical`: [{}] if these are categories", text, name));
}

/// Warns if the points in a column of numbers may separate thousands.
void warn_of_thousands(const Seen& seen, CsvPlan& plan, const CsvColumn& column) {
  // With a decimal point, three decimals throughout are common; with a comma, it may as well separate thousands.
  const bool some_whole = seen.fractions < seen.numbers, comma = plan.format.decimal() == ',';
  if (seen.groups == 0 || seen.groups < seen.fractions || seen.large > 0 || (!some_whole && !comma)) return;
  plan.warnings.push_back(
      fmt::format("{}, column {}: {}{} is read with a decimal {}; if that separates thousands, take it out of the file",
                  plan.label, in_quotes(column.name), seen.group, some_whole ? " beside whole numbers below 1000" : "",
                  comma ? "comma" : "point"));
}

/// Warns if something suggests that the numbers of an input column are really ids or codes.
void warn_of_codes(const Seen& seen, CsvPlan& plan, const CsvColumn& column) {
  const std::string where = fmt::format("{}, column {}", plan.label, in_quotes(column.name));
  const auto warn = [&](const std::string& what) {
    plan.warnings.push_back(fmt::format(
        "{}: {}; if these are ids, codes or dates, list it among the categorical or the ignored columns", where, what));
  };
  if (const std::string sign = seen.signs.found(column.name, plan.rows); !sign.empty()) warn(sign);
  if (!seen.too_long.empty()) warn(seen.too_long + " is a whole number beyond 2^53, which double rounds");
}

/// Decides whether a column is numbers or categories; refuses a column that is neither.
void decide(const Seen& seen, CsvPlan& plan, CsvColumn& column) {
  if (column.kind == Kind::target && plan.task == Task::regression) {
    warn_of_thousands(seen, plan, column);
    if (!seen.too_long.empty())
      plan.warnings.push_back(
          fmt::format("{}, column {}: {} is a whole number beyond 2^53, which double rounds; subtract "
                      "a constant in the file",
                      plan.label, in_quotes(column.name), seen.too_long));
  }
  if (column.kind != Kind::numeric) return;
  if (seen.others > 0) {
    const Index like_numbers = seen.numbers + in_other_spelling(seen, plan.format);
    if (2 * like_numbers >= seen.numbers + seen.others) refuse_odd_cell(seen, plan, column);
    column.kind = Kind::categorical;
    if (seen.numbers > 0) {
      plan.warnings.push_back(fmt::format(
          "{}, column {}: {} of its {} cells are numbers, the others are not (such as {}): taken as categories",
          plan.label, in_quotes(column.name), seen.numbers, seen.numbers + seen.others, in_quotes(seen.first_other)));
    }
    return;
  }
  if (!seen.infinite_place.empty()) throw DataError(seen.infinite_place + ": infinite value");
  warn_of_thousands(seen, plan, column);
  warn_of_codes(seen, plan, column);
}

/// Second reading: the categories of categorical columns and the classes of the target.
void collect_categories(std::string_view text, CsvPlan& plan) {
  walk_csv(text, plan.label, plan, [&](const CsvReader& reader, const Order& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      CsvColumn& column = plan.columns[i];
      const std::string_view cell = reader.cells()[order[i]];
      const bool labels = column.kind == Kind::target && plan.task == Task::classification;
      if ((column.kind != Kind::categorical && !labels) || plan.format.is_missing(cell)) continue;
      if (!is_utf8(cell))
        throw DataError(
            fmt::format("{}: {} is no UTF-8 text; save the file as UTF-8", place(reader, column), in_quotes(cell)));
      column.categories.add(cell);
      if (!labels && !column.listed && column.categories.seen() > kMostAutomaticCategories) {
        throw DataError(
            fmt::format("{}: {}: a text column of more than {} different values; list it in `categorical` or "
                        "`ignore_columns`",
                        place(reader, column), in_quotes(cell), kMostAutomaticCategories));
      }
    }
  });
  for (CsvColumn& column : plan.columns) column.categories.finish();
}

/// Refuses a column of text that the options do not list, if its texts do not look like categories.
void judge_texts(const CsvPlan& plan, const CsvColumn& column) {
  const std::vector<std::string>& names = column.categories.names();
  const auto levels = static_cast<Index>(names.size());
  std::string reason;
  if (names.size() > kEnoughLevels) {
    const std::string unit = common_unit(names);
    if (!unit.empty())
      reason =
          fmt::format("numbers with {} after them, such as {}: leave it away", in_quotes(unit), in_quotes(names[0]));
    else if (are_dates(names))
      reason = fmt::format("dates or times, such as {}: turn them into numbers", in_quotes(names[0]));
  }
  if (reason.empty() && plan.rows >= kEnoughRows && 10 * levels >= 9 * plan.rows)
    reason = fmt::format("{} different texts in {} rows, such as {} (an id, a name, a date?)", levels, plan.rows,
                         in_quotes(names[0]));
  if (reason.empty()) return;
  throw DataError(
      fmt::format("{}, column {}: {}; list it in `ignore_columns`, or in `categorical` if these "
                  "are categories",
                  plan.label, in_quotes(column.name), reason));
}

void judge_categories(CsvPlan& plan, const CsvColumn& column) {
  const auto levels = static_cast<Index>(column.categories.names().size());
  const std::string where = fmt::format("{}, column {}", plan.label, in_quotes(column.name));
  if (column.kind == Kind::categorical && !column.listed) judge_texts(plan, column);
  if (plan.rows >= kEnoughRows && 2 * levels > plan.rows) {
    const std::string observation = fmt::format("{}: {} different values in {} rows", where, levels, plan.rows);
    if (column.kind == Kind::target)
      throw DataError(observation + ", each a class; if they are numbers to predict, set `task`: regression");
    plan.warnings.push_back(observation + ": few categories occur twice");
  }
  if (const auto pair = column.categories.alike())
    plan.warnings.push_back(
        fmt::format("{}: {} and {} are different categories", where, in_quotes(pair->first), in_quotes(pair->second)));
}

std::string joined(const std::vector<std::string>& words) {
  constexpr std::size_t kShown = 20;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kShown, words.size()));
  return fmt::format("{}{}", fmt::join(words.begin(), words.begin() + shown, ", "),
                     words.size() > kShown ? fmt::format(" and {} more", words.size() - kShown) : "");
}

/// Notes what the columns became, in one line, and which values were missing.
void add_notes(const std::vector<Seen>& seen, CsvPlan& plan) {
  Index numeric = 0, missing = 0;
  std::vector<std::string> one_hot, constant, incomplete;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const CsvColumn& column = plan.columns[i];
    if (column.kind == Kind::ignored) continue;
    numeric += column.kind == Kind::numeric;
    if (column.kind == Kind::categorical) one_hot.push_back(fmt::format("{} ({})", column.name, column.width()));
    const bool one_value = column.kind == Kind::categorical ? column.width() == 1 : seen[i].constant;
    if (column.kind != Kind::target && plan.rows > 1 && one_value) constant.push_back(column.name);
    if (seen[i].missing > 0) incomplete.push_back(fmt::format("{} ({})", column.name, seen[i].missing));
    missing += seen[i].missing;
  }
  std::string line = fmt::format("{}: target {}, {} numeric column{}", plan.label, plan.target().name, numeric,
                                 numeric == 1 ? "" : "s");
  if (!one_hot.empty()) line += "; one-hot coded, with their numbers of categories: " + joined(one_hot);
  if (!constant.empty()) line += "; constant: " + joined(constant);
  plan.notes.push_back(std::move(line));
  if (plan.dropped_rows > 0)
    plan.notes.push_back(
        fmt::format("{}: {} rows with missing values dropped, {} kept", plan.label, plan.dropped_rows, plan.rows));
  if (missing > 0)
    plan.notes.push_back(fmt::format("{}: {} missing cells become the mean of their column over the training rows: {}",
                                     plan.label, missing, joined(incomplete)));
}

}  // namespace

void survey_columns(std::string_view text, CsvPlan& plan) {
  const std::vector<Seen> seen = see_all(text, plan);
  for (std::size_t i = 0; i < seen.size(); ++i) decide(seen[i], plan, plan.columns[i]);
  collect_categories(text, plan);
  for (const CsvColumn& column : plan.columns)
    if (!column.categories.names().empty()) judge_categories(plan, column);
  add_notes(seen, plan);
}

}  // namespace ansatz
