#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/record/findings/standard_errors.h"
#include "experiments/benchmark/results/benchmark_findings.h"
#include "experiments/benchmark/results/over_sets.h"
#include "tests/core/record/benchmark/small_benchmark.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

const Finding& found(const std::vector<Finding>& findings, const std::string& name) {
  const auto at = std::find_if(findings.begin(), findings.end(), [&](const auto& f) { return f.name == name; });
  if (at == findings.end()) throw std::runtime_error("no finding " + name);
  return *at;
}

bool has(const std::vector<Finding>& findings, const std::string& name) {
  return std::any_of(findings.begin(), findings.end(), [&](const auto& f) { return f.name == name; });
}

/// Two regressions beside the three classifications, and seconds.
BenchmarkRecord both_tasks() {
  BenchmarkRecord record = small_benchmark();
  for (const double accuracy : {0.9, 0.8}) {
    BenchmarkSet set = small_set(accuracy > 0.85 ? "r" : "s", 700,
                                 {small_result("RFM (clean)", {accuracy}), small_result("Laplace", {0.85})});
    set.task = Task::regression;
    record.sets.push_back(set);
  }
  for (BenchmarkSet& set : record.sets)
    for (MethodOnSet& result : set.results) {
      result.search_seconds = result.method == "Laplace" ? 2 : 4;
      result.choice = {{"iterations", set.name == "a" ? "0" : set.name == "b" ? "0 / 2" : "3"}};
    }
  return record;
}

}  // namespace

TEST_CASE("names of methods in findings: plain, and each its own") {
  CHECK(method_slugs({{"RFM (clean)", "", "", ""}, {"a  B", "", "", ""}, {"A-b", "", "", ""}, {"é", "", "", ""}}) ==
        std::vector<std::string>{"rfm_clean", "a_b", "a_b_2", "method"});
}

TEST_CASE("findings of a benchmark: by hand") {
  const std::vector<Finding> findings = benchmark_findings(small_benchmark(), 0, {});
  const Finding& gap = found(findings, "gap.rfm_clean.laplace");  // 5, 10 and -5 points
  CHECK(gap.value == Approx(10.0 / 3));
  CHECK(*gap.standard_error == Approx(std::sqrt((25.0 / 9 + 400.0 / 9 + 625.0 / 9) / 2 / 3)));
  CHECK((gap.unit == "%" && gap.meaning == "accuracy of RFM (clean) less that of Laplace"));
  // Without RFM (authors). On a: others, RFM, Laplace, forest. On b others count as 0.567, on c|d others and the forest
  // as 0.725: the RFM has places 2, 1.5 and 4, the others 1, 3 and 2.5.
  CHECK(found(findings, "rank.rfm_clean").value == Approx(2.5));
  CHECK(*found(findings, "rank.rfm_clean").standard_error == Approx(std::sqrt((0.25 + 1 + 2.25) / 2 / 3)));
  const Finding& rank_lead = found(findings, "rank_lead.rfm_clean");
  CHECK(rank_lead.value == Approx(6.5 / 3 - 2.5));
  CHECK(*rank_lead.standard_error == Approx(std::sqrt((4.0 / 9 + 121.0 / 36 + 49.0 / 36) / 2 / 3)));  // 1, -1.5, 1.5
  CHECK(rank_lead.meaning == "Friedman rank of the best other method (others) less that of RFM (clean)");
  CHECK(found(findings, "average.rfm_clean").value == Approx(215.0 / 3));
  CHECK(found(findings, "average_lead.rfm_clean").value == Approx(215.0 / 3 - 99));
  CHECK_FALSE(found(findings, "average_lead.rfm_clean").standard_error);  // one set in common
  CHECK(found(findings, "p90.rfm_clean").value == Approx(200.0 / 3));
  CHECK(found(findings, "best_share.rfm_clean").value == Approx(100.0 / 3));  // b, beside the forest
  CHECK(*found(findings, "best_share.rfm_clean").standard_error == Approx(100 * accuracy_standard_error(1.0 / 3, 3)));
  CHECK(found(findings, "relative_gain.rfm_clean").value == Approx(25.0 / 3));  // 25, 20 and -20 %
  CHECK(found(findings, "growth_rows.rfm_clean").value == Approx(-0.5));
  CHECK(std::isnan(found(findings, "growth_dimension.rfm_clean").value));  // all are 3
  CHECK(found(findings, "gap.rfm_authors.rfm_clean").value == Approx(5.0 / 3));
  CHECK_FALSE(has(findings, "gap.rfm_clean.rfm_authors"));
  CHECK_FALSE(has(findings, "gap.forest.laplace"));  // learns no features
}

TEST_CASE("findings of a benchmark: groups of sets, both tasks, and seconds where they are asked for") {
  const BenchmarkRecord record = both_tasks();
  const std::string ratio = "tasks.seconds_ratio.laplace.rfm_clean";
  const std::vector<Finding> findings = benchmark_findings(record, 600, {ratio});
  CHECK(found(findings, "small.gap.rfm_clean.laplace").value == Approx(0).margin(1e-9));  // a and c|d
  CHECK(found(findings, "small.gap.rfm_clean.laplace").meaning ==
        "sets of up to 600 rows: accuracy of RFM (clean) less that of Laplace");
  CHECK_FALSE(has(findings, "large.gap.rfm_clean.laplace"));  // b alone
  CHECK(lacks_sets("large.gap.rfm_clean.laplace", record, 600));
  CHECK_FALSE(lacks_sets("small.gap.rfm_clean.laplace", record, 600));
  CHECK(has(findings, "categorical.gap.rfm_clean.laplace"));
  const Finding& r2 = found(findings, "regression.gap.rfm_clean.laplace");  // R^2 is twice the accuracy less 1
  CHECK((r2.value == Approx(0).margin(1e-9) && r2.unit.empty()));
  CHECK(*r2.standard_error == Approx(0.1));
  CHECK(found(findings, "tasks.large.best_share.rfm_clean").value == Approx(200.0 / 3));  // b and r, not s
  CHECK(found(findings, "tasks.no_update_share.rfm_clean").value == Approx(100 * 1.5 / 5));
  CHECK(found(findings, ratio).value == Approx(0.5));
  CHECK(*found(findings, ratio).standard_error == Approx(0).margin(1e-12));
  CHECK_FALSE(has(benchmark_findings(record, 600, {}), ratio));
  CHECK_FALSE(has(findings, "tasks.average.rfm_clean"));  // accuracies and R^2 have no mean
  const std::vector<std::string> names = benchmark_finding_names(record.methods, record.baseline, 600);
  for (const Finding& finding : findings) {
    INFO(finding.name);
    CHECK(std::count(names.begin(), names.end(), finding.name) == 1);
  }
  CHECK(benchmark_findings(small_benchmark(), 0, {}).size() < findings.size());
  BenchmarkRecord one = record;
  one.sets.resize(1);
  CHECK(benchmark_findings(one, 600, {}).empty());
}

TEST_CASE("means over sets and leads: what is missing, shares, ratios") {
  const double none = std::nan("");
  Matrix<double> shares(4, 3);
  shares << 1, 0, none, 1, 1, none, 0, 1, none, 1, 0, 1;
  const Lead lead = lead_over_best(shares, 0, MetricKind::share);
  CHECK(lead.other == 2);  // 1 of 1
  CHECK_FALSE(lead.difference.standard_error);
  const Lead of_two = lead_over_best(shares.leftCols(2), 0, MetricKind::share);
  CHECK(of_two.difference.value == Approx(0.25));
  CHECK(*of_two.difference.standard_error ==
        Approx(paired_standard_error({true, true, false, true}, {false, true, true, false})));
  CHECK(lead_over_best(shares, 0, MetricKind::rank).other == 1);  // the least
  CHECK(std::isnan(lead_over_best(shares.leftCols(1), 0, MetricKind::score).difference.value));
  CHECK(std::isnan(mean_over_sets(Vector<double>::Constant(2, none)).value));
  const Vector<double> a = (Vector<double>(3) << 2, 4, 5).finished(), b = (Vector<double>(3) << 1, 1, 0).finished();
  CHECK(ratio_over_sets(a, b).value == 3);
  CHECK(*ratio_over_sets(a, b).standard_error == Approx(1));
}
