#include "core/data/tables/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/files/files.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;
using Order = std::vector<std::size_t>;

std::string place_of(const CsvTable& table, Index row, const std::string& column) {
  std::string found;
  Index at = 0;
  walk_csv(table.text, table.label, *table.plan, [&](const CsvReader& reader, const Order&) {
    if (at++ == row) found = fmt::format("{}, column {}", reader.where(), in_quotes(column));
  });
  return found;
}

/// "is it \"Paris\"? ", where a cell is nearly one of the categories, or looks like one.
std::string meant_by(std::string_view cell, const std::vector<std::string>& categories) {
  constexpr std::size_t kMost = 1000, kLongest = 64;
  if (!is_utf8(cell)) return "it is no UTF-8 text: save the file as UTF-8; ";
  if (const std::string hidden = hidden_characters(cell); !hidden.empty())
    return fmt::format("it holds {}, which hardly shows; ", hidden);
  if (categories.size() > kMost || cell.size() > kLongest) return "";
  const std::string near = nearest(cell, categories);
  return near.empty() ? "" : fmt::format("is it {}? ", in_quotes(near));
}

/// Writes the one-hot code of a cell into zeros.
void write_category(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column,
                    double* first) {
  if (plan.unknown_category == UnknownCategory::zero && !column.categories.find(cell)) return;
  first[category_in(reader, cell, plan, column)] = 1;
}

}  // namespace

std::shared_ptr<CsvTable> open_csv_table(const std::filesystem::path& path) {
  return std::make_shared<CsvTable>(CsvTable{read_file_or_gzip(path), path.string(), nullptr, {}, {}});
}

bool looks_like_arff(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != text.npos;) {
    if (text[at] != '%') {
      std::string word(text.substr(at, 9));
      for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      return word == "@relation";
    }
    at = std::min(text.find('\n', at), text.size());
  }
  return false;
}

Index category_in(const CsvReader& reader, std::string_view cell, const CsvPlan& plan, const CsvColumn& column) {
  if (const std::optional<Index> found = column.categories.find(cell)) return *found;
  throw DataError(fmt::format(
      "{}: {} does not occur in {}; {}", place(reader, column), in_quotes(cell), plan.label,
      meant_by(cell, column.categories.names()) +
          (column.kind == Kind::target ? "mend it, or leave the row out"
                                       : "mend it, or train with `unknown_category`: zero to have none of its "
                                         "categories")));
}

void write_csv_inputs(const CsvReader& reader, const Order& order, const CsvPlan& plan, double* out) {
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

Index unknown_categories(const CsvReader& reader, const Order& order, const CsvPlan& plan) {
  Index count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view cell = reader.cells()[order[i]];
    count += plan.columns[i].kind == Kind::categorical && !plan.format.is_missing(cell) &&
             !plan.columns[i].categories.find(cell);
  }
  return count;
}

TableRows csv_rows(const std::shared_ptr<const CsvTable>& table, std::vector<std::string> names, WriteCsvRow write) {
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

TableSchema schema_of(const CsvPlan& plan) {
  TableSchema schema;
  for (const CsvColumn& column : plan.columns) {
    if (column.kind == Kind::numeric) schema.columns.push_back({column.name, {}});
    if (column.kind == Kind::categorical) schema.columns.push_back({column.name, column.categories.names()});
  }
  schema.target = plan.target().name;
  schema.delimiter = plan.delimiter;
  const CellFormat::Options& cells = plan.format.options();
  schema.decimal = cells.decimal;
  schema.missing_values = cells.missing_values;
  schema.default_missing_values = cells.default_missing_values;
  schema.unknown_category_is_none = plan.unknown_category == UnknownCategory::zero;
  return schema;
}

}  // namespace ansatz
