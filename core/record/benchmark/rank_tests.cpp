// Whether the methods' mean ranks differ at all, and from which distance on any two do.
#include <fmt/format.h>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/statistics/critical_difference.h"
#include "core/statistics/ranking/friedman.h"

namespace ansatz {
namespace {

void add_tests(const std::string& of, const ScoreTable& scores, ResultTable& table) {
  const FriedmanTest test = friedman_test(scores);
  if (test.methods < 2 || test.sets < 2) return;
  const auto add = [&](const std::string& name, double statistic, const std::string& freedom, double p) {
    table.rows.push_back({TableCell::of(of), TableCell::of(name), TableCell::of(static_cast<double>(test.methods)),
                          TableCell::of(static_cast<double>(test.sets)), TableCell::of(statistic),
                          TableCell::of(freedom), TableCell::of(p)});
  };
  if (!table.rows.empty()) table.rules.push_back(table.rows.size());
  add("Friedman’s χ²", test.chi_squared, fmt::format("{:g}", test.freedom), test.p);
  add("Iman and Davenport’s F", test.f, fmt::format("{:g} and {:g}", test.freedom, test.residual_freedom), test.f_p);
  constexpr double kLevel = 0.05;
  add("Nemenyi’s critical difference", critical_difference(test.methods, test.sets, kLevel), "", kLevel);
}

}  // namespace

ResultTable rank_test_table(const BenchmarkRecord& record, Task task) {
  ResultTable table{"ranks",
                    "Whether the mean ranks differ",
                    "Friedman’s test and Iman and Davenport’s form of it ask whether any method ranks differently from "
                    "the others; two methods whose mean ranks differ by less than the critical difference cannot be "
                    "told apart at 5 %. The published methods were chosen for their ranks, so that tests with them "
                    "find differences too easily.",
                    {},
                    {},
                    {}};
  table.columns = {{"of", "methods", true},
                   {"test", "test", true},
                   {"methods", "number", false, 0},
                   {"sets", "sets", false, 0},
                   {"statistic", "statistic", false, -4},
                   {"freedom", "degrees of freedom", true},
                   {"p", "p", false, -2}};
  const ScoreTable shown = ranked_methods(record, task);
  std::vector<std::string> own;
  for (const std::string& method : shown.methods)
    if (record.find(method) != nullptr) own.push_back(method);
  add_tests("of this benchmark", columns_of(shown, own), table);
  if (own.size() < shown.methods.size()) add_tests("with the best published", shown, table);
  return table;
}

}  // namespace ansatz
