#include "experiments/benchmark/results/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/printable_text.h"
#include "core/base/text_table.h"
#include "core/files/csv_cell.h"
#include "experiments/runs/latex_text.h"

namespace ansatz::experiments {
namespace {

/// Text that Markdown would take for its own, as text.
std::string markdown_text(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (std::string("|*`<\\[").find(c) != std::string::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string markdown_cell(const TableColumn& column, const TableCell& cell) {
  const std::string text = markdown_text(cell_text(column, cell));
  return cell.best ? "**" + text + "**" : text;
}

std::string csv_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.10g}", *value) : "";
}

bool has_deviations(const ResultTable& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[column].sd.has_value(); });
}

/// "$7.4 \times 10^{-5}$" of "7.4e-05".
std::string latex_significant(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e != std::string::npos)
    text = fmt::format("{} \\times 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
  return "$" + text + "$";
}

std::string latex_cell(const TableColumn& column, const TableCell& cell) {
  if (!cell.value) return latex_text(cell.words);
  if (!std::isfinite(*cell.value)) return "--";
  if (column.decimals < 0) return latex_significant(*cell.value, -column.decimals);
  const bool spread = cell.sd && std::isfinite(*cell.sd);
  Spread number = spread_of(spread ? std::vector<double>{*cell.value, *cell.value} : std::vector<double>{*cell.value});
  number.sd = spread ? *cell.sd : 0;
  const std::string text = latex_number(number, column.decimals);
  return cell.best ? "{\\boldmath" + text + "}" : text;
}

std::string latex_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : " & ") + cell;
  return line + " \\\\\n";
}

/// Places of the columns that files hold.
std::vector<std::size_t> kept_columns(const ResultTable& table) {
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (!table.columns[j].timing) kept.push_back(j);
  return kept;
}

}  // namespace

std::string markdown_table(const ResultTable& table) {
  const std::vector<std::size_t> kept = kept_columns(table);
  std::string text = "## " + markdown_text(table.title) + "\n\n|", rule = "|";
  for (const std::size_t j : kept) {
    text += " " + markdown_text(table.columns[j].head) + " |";
    rule += table.columns[j].words ? "---|" : "---:|";
  }
  text += "\n" + rule + "\n";
  for (const std::vector<TableCell>& row : table.rows) {
    text += "|";
    for (const std::size_t j : kept) text += " " + markdown_cell(table.columns[j], row[j]) + " |";
    text += "\n";
  }
  return text + (table.note.empty() ? "" : "\n" + markdown_text(table.note) + "\n");
}

std::string csv_table(const ResultTable& table) {
  std::string header, text;
  const std::vector<std::size_t> kept = kept_columns(table);
  for (const std::size_t j : kept) {
    header += (header.empty() ? "" : ",") + csv_cell(table.columns[j].key);
    if (has_deviations(table, j)) header += "," + csv_cell(table.columns[j].key + "_sd");
  }
  for (const std::vector<TableCell>& row : table.rows) {
    for (const std::size_t j : kept) {
      text += (j == kept.front() ? "" : ",") + (row[j].value ? csv_number(row[j].value) : csv_cell(row[j].words));
      if (has_deviations(table, j)) text += "," + csv_number(row[j].sd);
    }
    text += "\n";
  }
  return header + "\n" + text;
}

std::string latex_table(const ResultTable& table) {
  const std::vector<std::size_t> kept = kept_columns(table);
  std::string shape;
  std::vector<std::string> head;
  for (const std::size_t j : kept) {
    shape += table.columns[j].words ? 'l' : 'r';
    head.push_back(latex_text(table.columns[j].head));
  }
  std::string rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (std::find(table.rules.begin(), table.rules.end(), i) != table.rules.end()) rows += "\\midrule\n";
    std::vector<std::string> cells;
    for (const std::size_t j : kept) cells.push_back(latex_cell(table.columns[j], table.rows[i][j]));
    rows += latex_line(cells);
  }
  const std::string body = latex_line(head) + "\\midrule\n" + rows;
  return std::string("% \\usepackage{booktabs}\n") +
         (needs_unicode_latex(body) ? "% LuaLaTeX or XeLaTeX, and a font with all characters of the names\n" : "") +
         "\\begin{tabular}{" + shape + "}\n\\toprule\n" + body + "\\bottomrule\n\\end{tabular}\n";
}

std::string terminal_table(const ResultTable& table, std::size_t width) {
  std::vector<TextColumn> columns;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    columns.push_back({table.columns[j].head, table.columns[j].words, j < 4 ? 0 : static_cast<int>(j)});
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<TableCell>& row : table.rows) {
    rows.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) rows.back().push_back(printable(cell_text(table.columns[j], row[j])));
  }
  return text_table(std::move(columns), std::move(rows), width);
}

std::string folds_csv(const BenchmarkRecord& record) {
  std::string text = "set,method,fold,accuracy,mse,r2\n";
  const auto cell = [](double value) { return std::isfinite(value) ? csv_cell(std::optional(value)) : std::string(); };
  for (const BenchmarkSet& set : record.sets)
    for (const MethodOnSet& result : set.results)
      for (std::size_t k = 0; k < result.folds.size(); ++k)
        text += fmt::format("{},{},{},{},{},{}\n", csv_cell(set.name), csv_cell(result.method), k + 1,
                            cell(result.folds[k].accuracy), cell(result.folds[k].mse), cell(result.folds[k].r2));
  return text;
}

}  // namespace ansatz::experiments
