// Set by set: scores, choices, and where the protocols part.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"

namespace ansatz {
namespace {

bool classes(Task task) { return task == Task::classification; }
double unit_of(Task task) { return classes(task) ? 100 : 1; }
int decimals_of(Task task) { return classes(task) ? 2 : 3; }
std::string key_of(const std::string& method, Task task) {
  return method + (classes(task) ? " accuracy_percent" : " r2");
}

TableCell score_cell(const BenchmarkSet& set, const std::string& method) {
  const MethodOnSet* result = set.find(method);
  if (result == nullptr) return {};
  if (!result->failure.empty()) return TableCell::of(std::string("failed"));
  const Spread score = set.score(method);
  const std::optional<double> sd = score.values.size() > 1 ? std::optional(unit_of(set.task) * score.sd) : std::nullopt;
  return TableCell::of(unit_of(set.task) * score.mean, sd);
}

/// Methods first to end - 1 with the best score of a row, and it.
struct BestOfRow {
  std::vector<std::string> methods;
  double score = -HUGE_VAL;
};

BestOfRow best_of_row(const ScoreTable& table, Index row, Index first, Index end) {
  BestOfRow best;
  for (Index j = first; j < end; ++j) {
    const double score = table.scores(row, j);
    if (std::isnan(score) || score < best.score - kSameScore) continue;
    if (score > best.score + kSameScore) best = {{}, score};
    best.methods.push_back(table.methods[static_cast<std::size_t>(j)]);
  }
  return best;
}

/// "RFM, forest"; "all equal".
std::string best_here(const ScoreTable& table, Index row, Index own) {
  const BestOfRow best = best_of_row(table, row, 0, own);
  if (own > 1 && static_cast<Index>(best.methods.size()) == own) return "all equal";
  return fmt::format("{}", fmt::join(best.methods, ", "));
}

/// "parRF_caret 83.10", "svm_C and 3 others 90.00"; "" where there are none.
std::string best_published_here(const ScoreTable& table, Index row, Index own, Task task) {
  const BestOfRow best = best_of_row(table, row, own, table.scores.cols());
  if (best.methods.empty()) return "";
  const std::size_t others = best.methods.size() - 1;
  return fmt::format("{}{} {:.{}f}", best.methods.front(),
                     others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"),
                     unit_of(task) * best.score, decimals_of(task));
}

const BenchmarkSet& set_named(const BenchmarkRecord& record, const std::string& name) {
  return *std::find_if(record.sets.begin(), record.sets.end(), [&](const auto& set) { return set.name == name; });
}

/// Bold is the largest score of the row, as it is written.
void mark_row(std::vector<TableCell>& row, std::size_t first, std::size_t end, double factor) {
  double best = -HUGE_VAL;
  for (std::size_t j = first; j < end; ++j)
    if (row[j].value && std::isfinite(*row[j].value)) best = std::max(best, std::round(*row[j].value * factor));
  for (std::size_t j = first; j < end; ++j) row[j].best = row[j].value && std::round(*row[j].value * factor) == best;
}

}  // namespace

ResultTable set_table(const BenchmarkRecord& record, Task task) {
  const ScoreTable scores = scores_beside_published(record, task);
  const std::size_t own = record.methods.size();
  const bool published = scores.methods.size() > own;
  ResultTable table{"sets",
                    classes(task) ? "Accuracy (%) on each set" : "R² on each set",
                    "Mean over the test rows of the folds; ± is the standard deviation over the folds.",
                    {},
                    {},
                    {}};
  table.columns = {{"set", "set", true},
                   {"rows", "n", false, 0},
                   {"dimension", "d", false, 0},
                   {"outputs", classes(task) ? "classes" : "outputs", false, 0}};
  const std::size_t first = table.columns.size();
  for (const BenchmarkMethod& method : record.methods)
    table.columns.push_back({key_of(method.label, task), method.label, false, decimals_of(task)});
  table.columns.push_back({"best", "best here", true});
  if (published) table.columns.push_back({"best_published", "best published", true});
  for (std::size_t i = 0; i < scores.sets.size(); ++i) {
    const BenchmarkSet& set = set_named(record, scores.sets[i]);
    std::vector<TableCell> row = {TableCell::of(set.name), TableCell::of(static_cast<double>(set.rows)),
                                  TableCell::of(static_cast<double>(set.dimension)),
                                  TableCell::of(static_cast<double>(set.outputs))};
    for (const BenchmarkMethod& method : record.methods) row.push_back(score_cell(set, method.label));
    mark_row(row, first, row.size(), std::pow(10.0, decimals_of(task)));
    const auto at = static_cast<Index>(i), end = static_cast<Index>(own);
    row.push_back(TableCell::of(best_here(scores, at, end)));
    if (published) row.push_back(TableCell::of(best_published_here(scores, at, end, task)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ResultTable protocol_table(const BenchmarkRecord& record, Task task) {
  const std::string unit = task == Task::classification ? "%" : "R²";
  ResultTable table{"protocols", "Where the protocols part", "", {}, {}, {}};
  table.columns = {{"method", "method", true},
                   {"set", "set", true},
                   {"rows", "n", false, 0},
                   {"clean", "clean, " + unit, false, decimals_of(task)},
                   {"authors", "authors, " + unit, false, decimals_of(task)},
                   {"difference", "authors − clean", false, decimals_of(task)},
                   {"choice", "chosen", true}};
  std::size_t same = 0;
  double sum = 0;
  for (const ProtocolPair& pair : protocol_pairs(record))
    for (const BenchmarkSet& set : record.sets) {
      const std::string &clean = record.methods[pair.clean].label, &authors = record.methods[pair.authors].label;
      const double a = set.score(clean).mean, b = set.score(authors).mean;
      if (set.task != task || std::isnan(a) || std::isnan(b)) continue;
      sum += unit_of(task) * (b - a);
      if (std::abs(b - a) < kSameScore && ++same) continue;
      table.rows.push_back({TableCell::of(clean.substr(0, clean.rfind(" ("))), TableCell::of(set.name),
                            TableCell::of(static_cast<double>(set.rows)), TableCell::of(unit_of(task) * a),
                            TableCell::of(unit_of(task) * b), TableCell::of(unit_of(task) * (b - a)),
                            TableCell::of(set.find(authors)->choice_in_words())});
    }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const auto& a, const auto& b) { return std::abs(*a[5].value) > std::abs(*b[5].value); });
  table.note = fmt::format(
      "authors: the feature matrix of the tuning split is kept in all folds, so that it has seen test rows; clean: it "
      "is learned anew from the training rows of each fold. On {} further sets both give the same, mostly since no "
      "feature update was chosen. Mean difference: {:.{}f}.",
      same, sum / std::max<double>(1, static_cast<double>(same + table.rows.size())), decimals_of(task));
  return table;
}

ResultTable choice_table(const BenchmarkRecord& record) {
  ResultTable table{
      "choices",
      "What was chosen on the selection rows",
      "Several values behind one another: of several random splits. Validation: accuracy (%) or R² of the "
      "choice on the selection rows.",
      {},
      {},
      {}};
  table.columns = {{"set", "set", true},
                   {"method", "method", true},
                   {"choice", "chosen", true},
                   {"trials", "of", false, 0},
                   {"validation", "validation", false, 3},
                   {"search_seconds", "search (s)", false, -3, true},
                   {"fit_seconds", "fits (s)", false, -3, true},
                   {"failure", "failure", true}};
  for (const BenchmarkSet& set : record.sets)
    for (const MethodOnSet& result : set.results) {
      const TableCell validation =
          result.validation ? TableCell::of(unit_of(set.task) * result.validation->of(set.task)) : TableCell();
      table.rows.push_back({TableCell::of(set.name), TableCell::of(result.method),
                            TableCell::of(result.choice_in_words()), TableCell::of(static_cast<double>(result.trials)),
                            validation, TableCell::of(result.search_seconds), TableCell::of(result.fit_seconds),
                            TableCell::of(result.failure)});
    }
  return table;
}

std::vector<ResultTable> benchmark_tables(const BenchmarkRecord& record) {
  const std::vector<Task> tasks = tasks_of(record);
  std::vector<ResultTable> tables;
  for (const Task task : tasks)
    for (ResultTable table : {summary_table(record, task), paired_table(record, task), rank_test_table(record, task),
                              set_table(record, task), protocol_table(record, task)}) {
      if (table.rows.empty()) continue;
      if (tasks.size() > 1 && task == Task::regression) table.name += ".regression";
      tables.push_back(std::move(table));
    }
  tables.push_back(choice_table(record));
  if (tables.back().rows.empty()) tables.pop_back();
  return tables;
}

}  // namespace ansatz
