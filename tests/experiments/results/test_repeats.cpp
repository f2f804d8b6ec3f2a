#include <cmath>

#include "experiments/results/repeats.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

RunRecord comparison(std::uint64_t seed, double mse, double r) {
  RunRecord record;
  record.experiment = "feature_comparison";
  record.seed = seed;
  record.data.emplace();
  KernelMachineRecord machine;
  machine.label = "ntk";
  machine.metrics.test = Metrics{std::nullopt, mse, 0.5};
  record.kernel_machines = {machine};
  record.pairs = {{FeatureId::nfm(), FeatureId::rfm(1), {}}};
  record.pairs[0].values.diagonal_pearson = r;
  return record;
}

RunRecord experiment(const std::string& name, double value, std::optional<double> standard_error = {}) {
  RunRecord record;
  record.experiment = "low_rank";
  JudgedFinding finding;
  finding.name = name;
  finding.value = value;
  finding.standard_error = standard_error;
  finding.bound.at_least = 0.5;
  finding.judge();
  record.findings = FindingsRecord{"", {finding}};
  return record;
}

const Spread& of(const RepeatsRecord& record, const std::string& key) {
  for (const auto& [name, spread] : record.summary)
    if (name == key) return spread;
  FAIL(key << " is not in the summary");
  return record.summary.front().second;
}

}  // namespace

TEST_CASE("repeats: the mean and the sample deviation of every number") {
  const double missing = std::nan("");  // not finite in that run
  std::vector<RunRecord> runs = {comparison(4, 1, 0.5), comparison(5, 2, 0.7), comparison(6, 6, missing)};
  const RepeatsRecord record = summarize_repeats(runs);
  CHECK(record.seeds == std::vector<std::uint64_t>{4, 5, 6});
  CHECK(record.data);
  const Spread& mse = of(record, "models.ntk.test.mse");
  CHECK(mse.mean == Approx(3));
  CHECK(mse.sd == Approx(std::sqrt((4 + 1 + 9) / 2.0)));
  CHECK(mse.values == std::vector<double>{1, 2, 6});
  CHECK(of(record, "comparisons.network.nfm~rfm.M1.diagonal_pearson").values.size() == 2);
  runs[1].pairs.push_back({FeatureId::agop(), FeatureId::rfm(1), {}});
  runs[1].pairs.back().values.diagonal_pearson = 0.25;
  runs[1].warnings = {"network: nothing learned"};
  const std::string table = repeats_table(record, runs, 0);
  CHECK(contains(table, "over 3 runs"));
  CHECK(contains(table, "0.5000 ± 0.0000"));
  CHECK((contains(table, "test MSE") && contains(table, " ± 2.6")));
  CHECK(contains(table, "seed 5: network: nothing learned\n"));
  CHECK(contains(table, "network W₁ᵀW₁ ~ " + FeatureId::rfm(1).label() + " "));
  CHECK(contains(table, "(1 of 3 seeds)"));
  for (const char* key : {"pearson", "models.", "network.nfm"}) CHECK_FALSE(contains(table, key));
}

TEST_CASE("repeats: findings over runs are judged by mean and standard error, NaN where a run has none differs") {
  const auto over = [](const std::vector<RunRecord>& runs) {
    return summarize_repeats(runs).findings.value().list.at(0);
  };
  const JudgedFinding mean = over({experiment("a", 0.9), experiment("a", 0.2)});
  CHECK(mean.value == Approx(0.55));
  CHECK(mean.sd.value() == Approx(0.7 / std::sqrt(2.0)));
  CHECK(mean.standard_error.value() == Approx(0.35));
  CHECK(mean.verdict == Verdict::unclear);
  CHECK(over({experiment("a", 0.9), experiment("a", 0.8)}).verdict == Verdict::holds);
  CHECK(over({experiment("a", 0.3), experiment("a", 0.2)}).verdict == Verdict::differs);
  // One run alone tells only what it knows of itself; several not less than that.
  CHECK(over({experiment("a", 0.9)}).verdict == Verdict::unclear);
  CHECK(over({experiment("a", 0.9, 0.1)}).verdict == Verdict::holds);
  const JudgedFinding same_rows = over({experiment("a", 0.9, 0.2), experiment("a", 0.9, 0.4)});
  CHECK(same_rows.standard_error.value() == Approx(0.3));
  CHECK(same_rows.verdict == Verdict::unclear);
  const JudgedFinding without =
      summarize_repeats({experiment("a", 0.9), experiment("a", 0.2), experiment("b", 0.9)}).findings->list.at(0);
  CHECK(std::isnan(without.value));
  CHECK(without.verdict == Verdict::differs);
}
