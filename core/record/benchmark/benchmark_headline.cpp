#include "core/record/benchmark/benchmark_headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/method_pairs.h"
#include "core/record/benchmark/printed_rows.h"
#include "core/statistics/ranks.h"

namespace ansatz {
namespace {

/// "0.68 points (95 % interval 0.31 to 1.05; better on 30 sets, equal on 5, worse on 12; signed ranks p = 0.001)"
std::string difference_text(const PairedComparison& c, Task task) {
  const bool classes = task == Task::classification;
  const double unit = classes ? 100 : 1;
  const int digits = classes ? 2 : 3;
  const std::string interval = c.sets > 1 ? fmt::format("{:.0f} % interval {:.{}f} to {:.{}f}; ", 100 * c.confidence,
                                                        unit * c.low, digits, unit * c.high, digits)
                                          : "";
  return fmt::format("{:.{}f} {} ({}better on {} sets, equal on {}, worse on {}; signed ranks {})", unit * c.mean,
                     digits, classes ? "points" : "in R²", interval, c.wins, c.ties, c.losses,
                     p_text(c.signed_ranks.p));
}

/// Whether the paper's gap is within the interval.
std::string beside_paper(const PairedComparison& c) {
  const double low = 100 * c.low, high = 100 * c.high;
  const char* const where = kPrintedGap < low ? "below" : kPrintedGap > high ? "above" : "within";
  return fmt::format(" The paper’s gap, {:.2f} points on 121 sets, is {} that interval.", kPrintedGap, where);
}

std::string best_sentence(const BenchmarkRecord& record, const ScoreTable& scores, Task task) {
  const std::string best = best_method(record, scores);
  const Index column = find_method(scores, best);
  std::vector<double> known;
  for (const double score : scores.scores.col(column))
    if (!std::isnan(score)) known.push_back(score);
  const bool classes = task == Task::classification;
  return fmt::format("{} has the best rank here, {:.2f} among {} methods, with an average {} of {:.{}f}{} on {} sets.",
                     best, friedman_ranks(scores)(column), scores.methods.size(), classes ? "accuracy" : "R²",
                     (classes ? 100 : 1) * spread_of(known).mean, classes ? 2 : 3, classes ? " %" : "", known.size());
}

bool has_score(const BenchmarkSet& set) {
  return std::any_of(set.results.begin(), set.results.end(),
                     [&](const MethodOnSet& result) { return std::isfinite(set.score(result.method).mean); });
}

/// What the first method that failed says.
std::string why_none(const BenchmarkSet& set) {
  for (const MethodOnSet& result : set.results)
    if (!result.failure.empty()) return ", " + result.method + ": " + result.failure;
  return "";
}

}  // namespace

std::vector<std::string> benchmark_headline(const BenchmarkRecord& record) {
  std::vector<std::string> sentences;
  const std::string baseline = baseline_of(record);
  for (const Task task : tasks_of(record)) {
    const ScoreTable scores = scores_beside_published(record, task);
    sentences.push_back(best_sentence(record, scores, task));
    for (const MethodPair& pair : method_pairs(record, task)) {
      if (pair.against != baseline || record.find(pair.method)->kind != "rfm") continue;
      const PairedComparison& c = pair.comparison;
      const bool printed = task == Task::classification && c.sets > 1 && !printed_tables(record).empty();
      sentences.push_back(pair.method + " differs from " + baseline + " by " + difference_text(c, task) + "." +
                          (printed ? beside_paper(c) : ""));
    }
  }
  for (const BenchmarkSet& set : record.sets)
    if (!set.failure.empty())
      sentences.push_back("Not run: " + set.name + ", " + set.failure + ".");
    else if (!has_score(set))
      sentences.push_back("No method has a score on " + set.name + why_none(set) + ".");
  return sentences;
}

}  // namespace ansatz
