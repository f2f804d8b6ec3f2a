#include <algorithm>
#include <cmath>

#include "core/record/benchmark/benchmark_headline.h"
#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/record/benchmark/method_pairs.h"
#include "core/record/benchmark/printed_rows.h"
#include "core/statistics/critical_difference.h"
#include "tests/core/record/benchmark/small_benchmark.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// The cell in the row of that name under that key, as it is shown.
std::string shown(const ResultTable& table, const std::string& row, const std::string& key) {
  const auto column =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.key == key; });
  REQUIRE(column != table.columns.end());
  for (const auto& cells : table.rows)
    if (cells.front().words == row)
      return cell_text(*column, cells[static_cast<std::size_t>(column - table.columns.begin())]);
  FAIL("no row " + row);
  return "";
}

}  // namespace

TEST_CASE("result cells: numbers with deviations, dashes, significant digits, words") {
  CHECK(cell_text({"", ""}, TableCell::of(83.236)) == "83.24");
  CHECK(cell_text({"", ""}, TableCell::of(-0.5, 0.25)) == "−0.50 ± 0.25");
  CHECK(cell_text({"", "", false, -2}, TableCell::of(7.43e-5)) == "7.4e-05");
  CHECK(cell_text({"", ""}, TableCell::of(std::nan(""))) == "–");
  CHECK(cell_text({"", ""}, TableCell::of(1.0, std::nan(""))) == "1.00");
  CHECK(cell_text({"", "", true}, TableCell::of(std::string("x"))) == "x");
  CHECK(cell_text({"", ""}, {}).empty());
}

TEST_CASE("benchmark scores: sets that were run, and what others have published beside them") {
  const ScoreTable own = scores_of(small_benchmark(), Task::classification);
  CHECK(own.sets == std::vector<std::string>{"a", "b", "c|d"});
  CHECK(own.scores(0, 0) == Approx(0.85));
  CHECK(std::isnan(own.scores(2, 3)));
  const ScoreTable all = scores_beside_published(small_benchmark(), Task::classification);
  CHECK(all.methods.back() == "others");
  CHECK(all.scores(0, 4) == 0.99);
  CHECK((std::isnan(all.scores(1, 4)) && std::isnan(all.scores(2, 4))));
  CHECK(tasks_of(small_benchmark()) == std::vector<Task>{Task::classification});
  CHECK(best_published(small_benchmark(), Task::classification, 3) == std::vector<std::string>{"others"});
}

TEST_CASE("summary: methods by rank, all ranked together, beside the published one") {
  const ResultTable table = summary_table(small_benchmark(), Task::classification);
  REQUIRE(table.rows.size() == 5);
  CHECK(table.rows[0][0].words == "RFM (authors)");
  CHECK(table.rules == std::vector<std::size_t>{4});
  CHECK(shown(table, "RFM (clean)", "average_accuracy_percent") == "71.67");
  CHECK(shown(table, "forest", "sets") == "2");
  CHECK(shown(table, "others", "source") == "published");
  // On a: 0.99 others, 0.9, 0.85, 0.8, 0.75. On b: others count as 0.575, forest and RFMs share the first three places.
  // On c|d: Laplace 1; forest and others count as the mean of 0.75, 0.7, 0.7.
  CHECK(shown(table, "RFM (clean)", "friedman_rank") == "3.17");  // (3 + 2 + 4.5) / 3
  CHECK(shown(table, "Laplace", "friedman_rank") == "3.33");      // (4 + 5 + 1) / 3
  CHECK(shown(table, "forest", "friedman_rank") == "3.17");       // (5 + 2 + 2.5) / 3
  CHECK(shown(table, "Laplace", "error_below_baseline_percent") == "–");
  // (0.2 - 0.15)/0.2, (0.5 - 0.4)/0.5, (0.25 - 0.3)/0.25
  CHECK(shown(table, "RFM (clean)", "error_below_baseline_percent") == "8.3");
  CHECK(contains(table.note, "3 sets and 5 methods"));
}

TEST_CASE("summary: an average that one set rules is said to be so") {
  BenchmarkRecord record = small_benchmark();
  for (BenchmarkSet& set : record.sets) set.task = Task::regression;
  record.published.clear();
  CHECK_FALSE(contains(summary_table(record, Task::regression).note, "is that of one set"));
  for (MethodOnSet& result : record.sets[1].results)
    if (result.method == "Laplace")
      for (BenchmarkScore& score : result.folds) score.r2 = -1e6;
  CHECK(contains(summary_table(record, Task::regression).note,
                 "The average of Laplace is that of one set: its R² on b is -1e+06."));
}

TEST_CASE("sets: scores with deviations over the folds, failures, and the best") {
  const ResultTable table = set_table(small_benchmark(), Task::classification);
  CHECK(shown(table, "a", "RFM (clean) accuracy_percent") == "85.00 ± 7.07");
  CHECK(shown(table, "a", "best") == "RFM (authors)");
  CHECK(shown(table, "b", "best") == "RFM (clean), RFM (authors), forest");
  CHECK(shown(table, "a", "best_published") == "others 99.00");
  CHECK(shown(table, "b", "best_published").empty());
  CHECK(shown(table, "c|d", "forest accuracy_percent") == "failed");
  CHECK(table.rows[0][5].best);
  CHECK_FALSE(table.rows[0][4].best);
}

TEST_CASE("sets: of equal scores none is the best") {
  BenchmarkRecord record = small_benchmark();
  for (MethodOnSet& result : record.sets[0].results) result.folds = record.sets[0].results[0].folds;
  record.published[0].table = {
      {"a", "b"}, {"u", "v", "w"}, (Matrix<double>(2, 3) << 0.9, 0.8, 0.9, 0.1, 0.2, 0.3).finished()};
  const ResultTable table = set_table(record, Task::classification);
  CHECK(shown(table, "a", "best") == "all equal");
  CHECK(shown(table, "a", "best_published") == "u and 1 other 90.00");
  CHECK(shown(table, "b", "best_published") == "w 30.00");
}

TEST_CASE("protocols: sets on which they part, and how many do not") {
  const ResultTable table = protocol_table(small_benchmark(), Task::classification);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0][0].words == "RFM");
  CHECK(table.rows[0][1].words == "a");
  CHECK(*table.rows[0][5].value == Approx(5));
  CHECK(contains(table.note, "On 2 further sets"));
  CHECK(contains(table.note, "Mean difference: 1.67"));
}

TEST_CASE("pairs: against the baseline, then the best against the others and the best published one") {
  const std::vector<MethodPair> pairs = method_pairs(small_benchmark(), Task::classification);
  REQUIRE(pairs.size() == 6);
  CHECK((pairs[0].method == "RFM (clean)" && pairs[0].against == "Laplace"));
  CHECK((pairs[0].comparison.wins == 2 && pairs[0].comparison.losses == 1));
  CHECK(pairs[0].comparison.mean == Approx(0.1 / 3));
  CHECK((pairs[5].method == "RFM (authors)" && pairs[5].against == "others" && pairs[5].comparison.sets == 1));
  CHECK(paired_table(small_benchmark(), Task::classification).rows.size() == 6);
}

TEST_CASE("rank tests: of the benchmark's methods, and with the published ones") {
  const ResultTable table = rank_test_table(small_benchmark(), Task::classification);
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rules == std::vector<std::size_t>{3});
  CHECK(*table.rows[0][2].value == 4);
  CHECK(*table.rows[3][2].value == 5);
  // Ranks 2 1 3 4, 2 2 4 2, 3.5 3.5 1 2 (RFM clean and authors, Laplace, forest): the sums about 7.5 are 0, -1, 0.5,
  // 0.5; the squares about 2.5 come to 5 + 3 + 4.5.
  CHECK(*table.rows[0][4].value == Approx(3 * 1.5 / 12.5));
  CHECK(table.rows[1][5].words == "3 and 6");
  CHECK(*table.rows[2][4].value == Approx(critical_difference(4, 3)));
  BenchmarkRecord one_set = small_benchmark();
  one_set.sets.resize(1);
  CHECK(rank_test_table(one_set, Task::classification).rows.empty());
}

TEST_CASE("headline: the best, the RFM against the baseline, and what could not be run") {
  const std::vector<std::string> sentences = benchmark_headline(small_benchmark());
  REQUIRE(sentences.size() == 4);
  CHECK(contains(sentences[0], "RFM (authors) has the best rank here, "));
  CHECK(contains(sentences[1], "RFM (clean) differs from Laplace by 3.33 points (95 % interval "));
  CHECK(contains(sentences[1], "better on 2 sets, equal on 0, worse on 1"));
  CHECK_FALSE(contains(sentences[1], "paper"));
  CHECK(sentences[3] == "Not run: damaged, line 3 has 4 cells.");
  BenchmarkRecord none = small_benchmark();
  MethodOnSet failed;
  failed.method = "forest";
  failed.failure = "no split";
  none.sets = {small_set("a", 100, {failed})};
  CHECK(benchmark_headline(none) == std::vector<std::string>{"No method has a score on a, forest: no split."});
}

TEST_CASE("the paper's rows stand beside those of the collection that they are of, and no other") {
  BenchmarkRecord record = small_benchmark();
  CHECK(printed_tables(record).empty());
  record.published[0].table.methods = {"parRF_caret", "elm_kernel_matlab"};
  record.published[0].table.scores = Matrix<double>::Constant(2, 2, 0.5);
  REQUIRE(printed_tables(record).size() == 1);
  CHECK(printed_tables(record)[0].sets == 90);
  record.sets[0].rows = 5001;
  CHECK(printed_tables(record)[0].sets == 121);
  const ResultTable table = summary_table(record, Task::classification);
  CHECK(shown(table, "Gaussian SVM", "friedman_rank") == "37.50");
  CHECK(contains(benchmark_headline(record)[1], "1.63 points on 121 sets, is within that interval"));
}

TEST_CASE("a benchmark of classes and numbers has tables of both, under names of their own") {
  BenchmarkRecord record = small_benchmark();
  record.sets[1].task = Task::regression;
  std::vector<std::string> names;
  for (const ResultTable& table : benchmark_tables(record)) names.push_back(table.name);
  CHECK(names == std::vector<std::string>{"summary", "paired", "ranks", "sets", "protocols", "summary.regression",
                                          "paired.regression", "sets.regression", "choices"});
  const ResultTable summary = summary_table(record, Task::regression);
  CHECK(shown(summary, "RFM (clean)", "average_r2") == "0.200");
}

TEST_CASE("a benchmark of which nothing could be run has no tables, and says why") {
  BenchmarkRecord record = small_benchmark();
  record.sets.erase(record.sets.begin(), record.sets.begin() + 3);
  CHECK(benchmark_tables(record).empty());
  CHECK(benchmark_headline(record).size() == 1);
}
