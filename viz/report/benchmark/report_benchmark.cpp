#include "viz/report/benchmark/report_benchmark.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/printable_text.h"
#include "core/record/benchmark/benchmark_headline.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/record/benchmark/figures/benchmark_figures.h"
#include "core/record/feature_ranking.h"
#include "viz/page/figure.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"
#include "viz/page/ranking_tables.h"

namespace ansatz::viz {
namespace {

std::string safe(const std::string& text) { return escape_html(printable(text)); }

std::string cell_html(const TableColumn& column, const TableCell& cell) {
  const std::string text = safe(cell_text(column, cell));
  return cell.best ? "<b>" + text + "</b>" : text;
}

std::string table_html(const ResultTable& table) {
  std::vector<std::string> header;
  for (const TableColumn& column : table.columns) header.push_back(safe(column.head));
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<TableCell>& row : table.rows) {
    rows.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) rows.back().push_back(cell_html(table.columns[j], row[j]));
  }
  return html_table(header, rows);
}

/// Long ones are folded up.
std::string table_section(const ResultTable& table) {
  constexpr std::size_t kLong = 90;
  const std::string note = table.note.empty() ? "" : "<p class=\"soft\">" + safe(table.note) + "</p>\n";
  const std::string html = table_html(table) + note;
  return "<h2>" + safe(table.title) + "</h2>\n" +
         (table.rows.size() > kLong ? details(fmt::format("{} rows", table.rows.size()), html) : html);
}

std::string headline_section(const BenchmarkRecord& record) {
  std::string html;
  for (const std::string& sentence : benchmark_headline(record))
    html += "<p class=\"headline\">" + safe(sentence) + "</p>\n";
  return html;
}

std::string pictures_section(const BenchmarkRecord& record, const std::filesystem::path& images) {
  std::string html;
  for (const Figure& figure : benchmark_figures(record))
    html += html_figure(images / figure.file, figure.title, escape_html(figure.caption));
  return html;
}

std::vector<std::string> result_row(const BenchmarkSet& set, const MethodOnSet& result) {
  const double unit = set.task == Task::classification ? 100 : 1;
  const TableColumn column{"", "", false, set.task == Task::classification ? 2 : 3};
  const Spread score = set.score(result.method);
  const std::optional<double> sd = score.values.size() > 1 ? std::optional(unit * score.sd) : std::nullopt;
  const std::string shown = result.failure.empty() ? cell_text(column, TableCell::of(unit * score.mean, sd)) : "failed";
  const std::string chosen = result.failure.empty() ? result.choice_in_words() : result.failure;
  const std::string validation =
      result.validation ? cell_text(column, TableCell::of(unit * result.validation->of(set.task))) : "";
  return {safe(result.method), shown, validation, safe(chosen), number(result.search_seconds + result.fit_seconds)};
}

std::string features_html(const BenchmarkSet& set, const std::filesystem::path& images) {
  const std::optional<SetRanking> ranking = rank_features(set);
  if (!ranking) return "";
  std::vector<std::string> labels;
  std::string learned;
  for (const std::string& method : ranking->methods) {
    labels.push_back(safe(method));
    learned += (learned.empty() ? "" : "; ") + safe(method) + " from " + safe(set.find(method)->features->learned_from);
  }
  return html_figure(images / "top_features", "Bars: the largest diagonal entries of the feature matrices, by name.",
                     "What the feature matrices give to each input, in % of their traces.") +
         html_figure(images / "loadings", "Bars: the largest loadings of the leading eigenvectors, by name.",
                     "Which inputs the leading eigenvectors combine.") +
         diagonal_tables(labels, ranking->ranking) + loading_tables(labels, ranking->ranking) +
         "<p class=\"soft\">Feature matrices act on the inputs as the method scaled them. Learned by " + learned +
         ".</p>\n";
}

std::string set_html(const BenchmarkSet& set, const std::filesystem::path& images) {
  if (!set.failure.empty()) return "<p><b>" + safe(set.failure) + "</b></p>\n";
  const bool classes = set.task == Task::classification;
  std::string html = fmt::format("<p class=\"soft\">{} rows, {} inputs, {} {}.", set.rows, set.dimension, set.outputs,
                                 classes ? "classes" : "outputs");
  for (const std::string& note : set.notes) html += " " + safe(note) + ".";
  html += "</p>\n";
  std::vector<std::vector<std::string>> rows;
  for (const MethodOnSet& result : set.results) rows.push_back(result_row(set, result));
  return html + html_table({"method", classes ? "accuracy (%)" : "R²", "validation", "chosen", "seconds"}, rows) +
         features_html(set, images);
}

std::string sets_section(const BenchmarkRecord& record, const std::filesystem::path& folder) {
  if (record.sets.size() == 1)
    return "<h2>" + safe(record.sets.front().name) + "</h2>\n" + set_html(record.sets.front(), folder / "images");
  std::string html = "<h2>Set by set</h2>\n";
  for (const BenchmarkSet& set : record.sets)
    html += details(safe(set.name), set_html(set, folder / "parts" / set.name / "images"));
  return html;
}

}  // namespace

std::string benchmark_sections(const BenchmarkRecord& record, const std::filesystem::path& folder) {
  std::string html = headline_section(record);
  if (record.sets.size() == 1) return html + sets_section(record, folder);
  const std::vector<ResultTable> tables = benchmark_tables(record);
  const auto is_summary = [](const ResultTable& table) { return table.name.compare(0, 7, "summary") == 0; };
  for (const ResultTable& table : tables)
    if (is_summary(table)) html += table_section(table);
  html += pictures_section(record, folder / "images");
  for (const ResultTable& table : tables)
    if (!is_summary(table)) html += table_section(table);
  return html + sets_section(record, folder);
}

}  // namespace ansatz::viz
