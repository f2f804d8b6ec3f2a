// Methods and what their scores come to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/record/benchmark/printed_rows.h"
#include "core/statistics/table_metrics.h"

namespace ansatz {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPublishedShown = 5;

std::vector<TableColumn> columns_of_summary(Task task, const std::string& baseline) {
  const bool classes = task == Task::classification;
  std::vector<TableColumn> columns = {{"method", "method", true},
                                      {"source", "source", true},
                                      {"sets", "sets", false, 0},
                                      classes ? TableColumn{"average_accuracy_percent", "average accuracy (%)"}
                                              : TableColumn{"average_r2", "average R²", false, 3},
                                      {"p90_percent", "P90 (%)"},
                                      {"p95_percent", "P95 (%)"},
                                      {"pma_percent", "PMA (%)"},
                                      {"friedman_rank", "Friedman rank"},
                                      {"adtm", "ADTM", false, 3},
                                      {"adtm_as_printed", "ADTM as printed", false, 3}};
  if (!baseline.empty())
    columns.push_back({"error_below_baseline_percent", "error below " + baseline + " (%)", false, 1});
  columns.push_back({"seconds", "seconds", false, 1, true});
  return columns;
}

/// The mean over the sets of the decrease in error, in percent.
double mean_decrease(const ScoreTable& table, Index method, Index baseline) {
  std::vector<double> known;
  for (const double d : relative_error_decrease(table.scores.col(method), table.scores.col(baseline)))
    if (std::isfinite(d)) known.push_back(d);
  return 100 * spread_of(std::move(known)).mean;
}

std::vector<TableCell> metrics_row(const MethodMetrics& m, Task task, const std::string& source) {
  const double unit = task == Task::classification ? 100 : 1;
  return {TableCell::of(m.method),
          TableCell::of(source),
          TableCell::of(static_cast<double>(m.sets)),
          TableCell::of(unit * m.score.mean),
          TableCell::of(100 * m.p90),
          TableCell::of(100 * m.p95),
          TableCell::of(100 * m.pma.mean, 100 * m.pma.sd),
          TableCell::of(m.rank),
          TableCell::of(m.adtm),
          TableCell::of(m.adtm_printed)};
}

double seconds_of(const BenchmarkRecord& record, const std::string& method, Task task) {
  double seconds = 0;
  for (const BenchmarkSet& set : record.sets)
    if (const MethodOnSet* result = set.task == task ? set.find(method) : nullptr)
      seconds += result->search_seconds + result->fit_seconds;
  return seconds;
}

std::vector<std::string> by_rank(const std::vector<MethodMetrics>& metrics, std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < count; ++j)
    if (metrics[j].sets > 0) order.push_back(j);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return metrics[a].rank < metrics[b].rank; });
  std::vector<std::string> names;
  for (const std::size_t j : order) names.push_back(metrics[j].method);
  return names;
}

void add_printed(const BenchmarkRecord& record, ResultTable& table) {
  for (const PrintedTable& printed : printed_tables(record)) {
    table.rules.push_back(table.rows.size());
    for (const PrintedRow& row : printed.rows) {
      table.rows.push_back({TableCell::of(row.method), TableCell::of(printed.source),
                            TableCell::of(static_cast<double>(printed.sets)), TableCell::of(row.accuracy),
                            TableCell::of(row.p90), TableCell::of(row.p95), TableCell::of(row.pma, row.pma_sd),
                            TableCell::of(row.rank)});
      table.rows.back().resize(table.columns.size());
    }
  }
}

/// A sentence for each method whose average R² is what one set makes it.
std::string ruled_by_one_set(const ScoreTable& table) {
  constexpr double kRuins = -10;  // no average of scores up to 1 recovers from it
  std::string text;
  for (std::size_t j = 0; j < table.methods.size(); ++j) {
    Index set = 0;
    const Vector<double> scores = table.scores.col(static_cast<Index>(j));
    const double least = scores.array().isNaN().select(1, scores.array()).minCoeff(&set);
    if (least < kRuins)
      text += fmt::format(" The average of {} is that of one set: its R² on {} is {:.3g}.", table.methods[j],
                          table.sets[static_cast<std::size_t>(set)], least);
  }
  return text;
}

std::string summary_note(const BenchmarkRecord& record, const ScoreTable& table, const std::string& baseline) {
  std::string note = fmt::format(
      "Over {} sets and {} methods together. Friedman rank: mean place on a set, 1 for the best, equal ones share; a "
      "method without a result on a set counts there as the mean of the others, and elsewhere the set is left out for "
      "it. P90, P95: share of the sets on which the score is at least 90 or 95 % of the best. PMA: mean of score / "
      "best, with its standard deviation over the sets. ADTM: mean of (x − min)/(max − min); as printed: of (x − "
      "min)/max.",
      table.sets.size(), table.methods.size());
  if (!baseline.empty())
    note += fmt::format(" Error below {0}’s: mean over the sets of (E of {0} − E)/E of {0}.", baseline);
  note += ruled_by_one_set(table);
  for (const PublishedScores& published : record.published)
    note += fmt::format(" Published: {} methods, {}.", published.table.methods.size(), published.source);
  if (!printed_tables(record).empty())
    note += " The paper’s rows are over its own sets and methods: compare them with care.";
  return note;
}

}  // namespace

ResultTable summary_table(const BenchmarkRecord& record, Task task) {
  const ScoreTable scores = scores_beside_published(record, task);
  const std::vector<MethodMetrics> metrics = table_metrics(scores);
  const std::string baseline = baseline_of(record);
  ResultTable table{"summary",
                    task == Task::classification ? "Classification" : "Regression",
                    summary_note(record, scores, baseline),
                    columns_of_summary(task, baseline),
                    {},
                    {}};
  const auto add = [&](const std::string& method, const std::string& source) {
    const Index j = find_method(scores, method);
    table.rows.push_back(metrics_row(metrics[static_cast<std::size_t>(j)], task, source));
    if (!baseline.empty())
      table.rows.back().push_back(
          TableCell::of(method == baseline ? kNaN : mean_decrease(scores, j, find_method(scores, baseline))));
    table.rows.back().push_back(source == "here" ? TableCell::of(seconds_of(record, method, task)) : TableCell());
  };
  for (const std::string& method : by_rank(metrics, record.methods.size())) add(method, "here");
  const std::size_t own = table.rows.size();
  const std::vector<std::string> published = best_published(record, task, kPublishedShown);
  if (!published.empty()) table.rules.push_back(own);
  for (const std::string& method : published) add(method, "published");
  const std::size_t all = table.rows.size();
  for (std::size_t column = 3; column < 10; ++column) mark_best(table, column, column != 7, 0, all);
  if (task == Task::classification) add_printed(record, table);
  return table;
}

}  // namespace ansatz
