#include <algorithm>
#include <cmath>
#include <functional>

#include "core/record/score_tables.h"
#include "experiments/runs/export_tables.h"
#include "experiments/runs/latex_text.h"

namespace ansatz::experiments {
namespace {

using Cells = std::vector<std::string>;

/// A tabular; the first `texts` columns are set to the left.
struct Tabular {
  Cells header;
  std::size_t texts = 1;
  std::vector<std::vector<Cells>> groups;  ///< rows of a run, between rules
};

std::string line_of(const Cells& cells) {
  std::string line = cells.front();
  for (std::size_t i = 1; i < cells.size(); ++i) line += " & " + cells[i];
  return line + " \\\\\n";
}

bool beyond_pdflatex(const Tabular& table) {
  const auto any = [](const Cells& row) { return std::any_of(row.begin(), row.end(), needs_unicode_latex); };
  return std::any_of(table.groups.begin(), table.groups.end(),
                     [&](const auto& group) { return std::any_of(group.begin(), group.end(), any); });
}

/// What the document needs for it.
std::string head_of(const Tabular& table) {
  return std::string("% \\usepackage{booktabs}\n") +
         (beyond_pdflatex(table) ? "% LuaLaTeX or XeLaTeX, and a font with all characters of the names\n" : "");
}

std::string tabular_text(const Tabular& table) {
  std::string text = head_of(table) + "\\begin{tabular}{" + std::string(table.texts, 'l') +
                     std::string(table.header.size() - table.texts, 'r') + "}\n\\toprule\n" + line_of(table.header);
  for (const std::vector<Cells>& group : table.groups) {
    text += "\\midrule\n";
    for (const Cells& row : group) text += line_of(row);
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

/// A run's name before its first row, nothing before the others.
void add_run(const std::string& name, std::vector<Cells> rows, Tabular& table) {
  if (rows.empty()) return;
  for (Cells& row : rows) row.insert(row.begin(), &row == &rows.front() ? latex_text(name) : "");
  table.groups.push_back(std::move(rows));
}

/// Without the columns of numbers in which no row has any.
void drop_empty_columns(Tabular& table) {
  for (std::size_t column = table.header.size(); column-- > table.texts;) {
    const auto empty = [&](const Cells& row) { return row[column] == "--"; };
    const auto all_empty = [&](const auto& group) { return std::all_of(group.begin(), group.end(), empty); };
    if (!std::all_of(table.groups.begin(), table.groups.end(), all_empty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.header.erase(table.header.begin() + at);
    for (auto& group : table.groups)
      for (Cells& row : group) row.erase(row.begin() + at);
  }
}

/// Without the column of runs where there is one run only.
void drop_single_run(Tabular& table) {
  table.header.erase(table.header.begin());
  --table.texts;
  for (auto& group : table.groups)
    for (Cells& row : group) row.erase(row.begin());
}

Spread in_percent(Spread share) {
  for (double* value : {&share.mean, &share.sd}) *value *= 100;
  return share;
}

std::vector<Cells> model_rows(const FinishedRun& run) {
  std::vector<Cells> rows;
  for (const ScoreRow& row : score_tables(run.seeds).scores)
    if (row.split == "test")
      rows.push_back({latex_text(row.model + share_of_seeds(row.seeds, run.seeds.size())),
                      latex_number(in_percent(row.accuracy), 2), latex_number(row.mse, error_decimals(row.mse.mean)),
                      latex_number(row.r2, 4), latex_number(row.cross_entropy, 4)});
  return rows;
}

std::vector<Cells> feature_rows(const FinishedRun& run) {
  std::vector<Cells> rows;
  for (const LikenessRow& row : score_tables(run.seeds).likenesses)
    rows.push_back({latex_label(row.a) + " and " + latex_label(row.b) + share_of_seeds(row.seeds, run.seeds.size()),
                    latex_number(row.diagonal, 3), latex_number(row.top_vector, 3), latex_number(row.largest_angle, 1),
                    latex_number(row.entries, 3), latex_number(row.off_diagonal, 3), latex_number(row.cosine, 3)});
  return rows;
}

std::string with_unit(const std::optional<double>& value, const std::optional<double>& error, const std::string& unit) {
  if (!value || !std::isfinite(*value)) return "--";
  Spread spread = spread_of(error ? std::vector<double>{*value, *value} : std::vector<double>{*value});
  spread.sd = error.value_or(0);
  return latex_number(spread, unit == "%" ? 2 : 3) + (unit.empty() ? "" : "\\," + latex_text(unit));
}

std::vector<Cells> finding_rows(const FinishedRun& run) {
  std::vector<Cells> rows;
  if (!run.findings()) return rows;
  for (const JudgedFinding& finding : run.findings()->list)
    rows.push_back({latex_text(finding.meaning), with_unit(finding.value, finding.standard_error, finding.unit),
                    with_unit(finding.paper, std::nullopt, finding.unit),
                    finding.verdict ? name_of(*finding.verdict) : ""});
  return rows;
}

struct Shape {
  Cells header;
  std::function<std::vector<Cells>(const FinishedRun&)> rows;
};

Shape shape_of(ExportedTable table) {
  switch (table) {
    case ExportedTable::models:
      return {{"Run", "Model", "Accuracy (\\%)", "MSE", "$R^2$", "Cross-entropy (nats)"}, model_rows};
    case ExportedTable::features:
      return {{"Run", "Feature matrices", "Diagonal $r$", "Top vector $|r|$", "Angle ($^\\circ$)", "Entries $r$",
               "Off-diagonal $r$", "Cosine"},
              feature_rows};
    case ExportedTable::findings:
      break;
  }
  return {{"Run", "Finding", "Here (standard error)", "Paper", "Verdict"}, finding_rows};
}

}  // namespace

std::string latex_table(ExportedTable table, const std::vector<FinishedRun>& runs) {
  const Shape shape = shape_of(table);
  Tabular tabular{shape.header, 2, {}};
  for (const FinishedRun& run : runs) add_run(run.name, shape.rows(run), tabular);
  if (tabular.groups.empty()) return "";
  drop_empty_columns(tabular);
  if (runs.size() == 1) drop_single_run(tabular);
  return tabular_text(tabular);
}

}  // namespace ansatz::experiments
