#include "core/record/benchmark/method_pairs.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/statistics/ranks.h"

namespace ansatz {

std::string p_text(double p) { return p < 1e-4 ? "p < 0.0001" : fmt::format("p = {:.2g}", p); }

std::string best_method(const BenchmarkRecord& record, const ScoreTable& scores) {
  const Vector<double> ranks = friedman_ranks(scores);
  std::string best;
  double least = HUGE_VAL;
  for (std::size_t j = 0; j < record.methods.size(); ++j) {
    const auto at = static_cast<Index>(j);
    if (scores.scores.col(at).array().isNaN().all() || !(ranks(at) < least)) continue;
    least = ranks(at);
    best = record.methods[j].label;
  }
  return best;
}

std::vector<MethodPair> method_pairs(const BenchmarkRecord& record, Task task) {
  const ScoreTable scores = scores_beside_published(record, task);
  const std::string baseline = baseline_of(record), best = best_method(record, scores);
  std::vector<MethodPair> pairs;
  const auto add = [&](const std::string& method, const std::string& against) {
    for (const MethodPair& pair : pairs)
      if (pair.method == method && pair.against == against) return;
    PairedComparison comparison =
        compare_paired(scores.scores.col(find_method(scores, method)), scores.scores.col(find_method(scores, against)));
    if (method != against && comparison.sets > 0) pairs.push_back({method, against, std::move(comparison)});
  };
  for (const BenchmarkMethod& method : record.methods)
    if (!baseline.empty()) add(method.label, baseline);
  if (best.empty()) return pairs;
  for (const BenchmarkMethod& method : record.methods) add(best, method.label);
  for (const std::string& published : best_published(record, task, 1)) add(best, published);
  return pairs;
}

ResultTable paired_table(const BenchmarkRecord& record, Task task) {
  const bool classes = task == Task::classification;
  const int digits = classes ? 2 : 4;
  ResultTable table{"paired",
                    "Methods in pairs",
                    fmt::format("Over the sets that both have, in {}: the mean difference with its 95 % interval by "
                                "Student’s t (a set is one observation), and p of Wilcoxon’s signed ranks.",
                                classes ? "points of accuracy" : "R²"),
                    {},
                    {},
                    {}};
  table.columns = {{"method", "method", true},
                   {"against", "against", true},
                   {"sets", "sets", false, 0},
                   {"wins", "better", false, 0},
                   {"ties", "equal", false, 0},
                   {"losses", "worse", false, 0},
                   {"difference", "difference", false, digits},
                   {"low", "from", false, digits},
                   {"high", "to", false, digits},
                   {"p", "p", false, -2}};
  for (const MethodPair& pair : method_pairs(record, task)) {
    const PairedComparison& c = pair.comparison;
    const double unit = classes ? 100 : 1;
    table.rows.push_back({TableCell::of(pair.method), TableCell::of(pair.against),
                          TableCell::of(static_cast<double>(c.sets)), TableCell::of(static_cast<double>(c.wins)),
                          TableCell::of(static_cast<double>(c.ties)), TableCell::of(static_cast<double>(c.losses)),
                          TableCell::of(unit * c.mean), TableCell::of(unit * c.low), TableCell::of(unit * c.high),
                          TableCell::of(c.signed_ranks.p)});
  }
  return table;
}

}  // namespace ansatz
