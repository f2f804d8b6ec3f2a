#include "experiments/results/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/text_table.h"
#include "core/record/score_tables.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {
namespace {

using Numbers = std::vector<std::pair<std::string, double>>;
using Values = std::map<std::string, std::vector<double>>;

void collect(const std::string& key, double value, Numbers& numbers) {
  if (std::isfinite(value)) numbers.emplace_back(key, value);
}

void collect(const std::string& prefix, const std::optional<Metrics>& metrics, Numbers& numbers) {
  if (!metrics) return;
  if (metrics->accuracy) collect(prefix + "accuracy", *metrics->accuracy, numbers);
  if (metrics->cross_entropy) collect(prefix + "cross_entropy", *metrics->cross_entropy, numbers);
  collect(prefix + "mse", metrics->mse, numbers);
  collect(prefix + "r2", metrics->r2, numbers);
}

void collect(const std::string& prefix, const FeatureComparison& c, Numbers& numbers) {
  collect(prefix + "diagonal_pearson", c.diagonal_pearson, numbers);
  collect(prefix + "matrix_pearson", c.matrix_pearson, numbers);
  collect(prefix + "off_diagonal_pearson", c.off_diagonal_pearson, numbers);
  collect(prefix + "cosine", c.cosine, numbers);
  if (!c.top_eigenvector_pearson.empty())
    collect(prefix + "top_eigenvector_pearson", c.top_eigenvector_pearson.front(), numbers);
}

/// Of a mean over runs: what the runs' deviation tells, but not less than one run's own error, since all may have been
/// scored on the same test rows. None of one run that does not know its own.
std::optional<double> error_of_mean(const Spread& spread, const Spread& own_errors) {
  const auto runs = static_cast<double>(spread.values.size());
  if (runs < 2) return own_errors.values.empty() ? std::nullopt : std::optional(own_errors.mean);
  const double between = spread.sd / std::sqrt(runs);
  return own_errors.values.empty() ? between : std::max(between, own_errors.mean);
}

/// The first run's findings with mean, deviation and standard error over all.
FindingsRecord findings_over_runs(FindingsRecord findings, const Values& values, const Values& errors,
                                  std::size_t runs) {
  for (JudgedFinding& finding : findings.list) {
    const auto found = values.find("findings." + finding.name);
    const bool in_all = found != values.end() && found->second.size() == runs;
    const Spread spread = spread_of(in_all ? found->second : std::vector<double>());
    finding.value = spread.mean;
    if (std::isfinite(spread.sd)) finding.sd = spread.sd;
    const auto own = errors.find(finding.name);
    finding.standard_error =
        error_of_mean(spread, spread_of(own != errors.end() ? own->second : std::vector<double>()));
    finding.judge();
  }
  return findings;
}

std::string estimate(const Spread& spread, int digits, double unit = 1) {
  if (spread.values.empty()) return "-";
  const std::string mean = fmt::format("{:.{}f}", spread.mean / unit, digits);
  return spread.values.size() == 1 ? mean : mean + fmt::format(" ± {:.{}f}", spread.sd / unit, digits);
}

/// One row a model, from its rows of train, validation and test.
std::string models_table(const ScoreTables& tables, std::size_t seeds, std::size_t width) {
  const bool classes = !tables.scores.empty() && !tables.scores.front().accuracy.values.empty();
  std::vector<std::vector<std::string>> rows;
  for (const ScoreRow& row : tables.scores) {
    const std::string name = row.model + share_of_seeds(row.seeds, seeds);
    if (rows.empty() || rows.back()[0] != name) rows.push_back({name, "-", "-", "-", "-"});
    const std::size_t column = row.split == "train" ? 1 : row.split == "validation" ? 2 : 3;
    rows.back()[column] = classes ? estimate(row.accuracy, 2, 0.01) + " %" : estimate(row.r2, 4);
    if (column == 3) rows.back()[4] = estimate(row.mse, error_decimals(row.mse.mean));
  }
  return text_table({{classes ? "accuracy" : "R²", true},
                     {"train", false, 2},
                     {"validation", false, 3},
                     {"test"},
                     {"test MSE", false, 1}},
                    std::move(rows), width);
}

std::string likeness_table(const ScoreTables& tables, std::size_t seeds, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  for (const LikenessRow& row : tables.likenesses)
    rows.push_back({row.a.label() + " ~ " + row.b.label() + share_of_seeds(row.seeds, seeds), estimate(row.diagonal, 3),
                    estimate(row.top_vector, 3), estimate(row.entries, 3), estimate(row.off_diagonal, 3),
                    estimate(row.largest_angle, 1)});
  return text_table({{"feature matrices", true},
                     {"diagonal r"},
                     {"top vector |r|", false, 1},
                     {"entries r", false, 3},
                     {"off-diagonal r", false, 4},
                     {"largest angle", false, 2}},
                    std::move(rows), width);
}

}  // namespace

Numbers numbers_of(const RunRecord& run) {
  Numbers numbers;
  for (const auto& [model, metrics] : scores_of(run)) {
    collect(fmt::format("models.{}.train.", model), metrics.train, numbers);
    collect(fmt::format("models.{}.validation.", model), metrics.validation, numbers);
    collect(fmt::format("models.{}.test.", model), metrics.test, numbers);
  }
  if (run.has_headline) {
    const FeaturePair& headline = run.pairs.front();
    collect("headline.", headline.values, numbers);
    if (const FeaturePair* baseline = run.find_pair(FeatureId::initial_nfm(), headline.b))
      collect("baseline.", baseline->values, numbers);
  }
  for (const FeaturePair& pair : run.pairs)
    collect(fmt::format("comparisons.{}~{}.", pair.a.name(), pair.b.name()), pair.values, numbers);
  if (run.findings)
    for (const JudgedFinding& finding : run.findings->list) collect("findings." + finding.name, finding.value, numbers);
  return numbers;
}

RepeatsRecord summarize_repeats(const std::vector<RunRecord>& runs) {
  Values values, errors;
  RepeatsRecord record;
  for (const RunRecord& run : runs) {
    record.experiment = run.experiment;
    record.conventions = run.conventions;
    if (run.data) record.data = run.data;
    record.seeds.push_back(run.seed);
    for (const auto& [name, value] : numbers_of(run)) values[name].push_back(value);
    if (!run.findings) continue;
    for (const JudgedFinding& finding : run.findings->list)
      if (finding.standard_error && std::isfinite(*finding.standard_error))
        errors[finding.name].push_back(*finding.standard_error);
  }
  for (const auto& [key, list] : values) record.summary.emplace_back(key, spread_of(list));
  for (const RunRecord& run : runs)
    if (run.findings && !record.findings)
      record.findings = findings_over_runs(*run.findings, values, errors, runs.size());
  return record;
}

std::string repeats_table(const RepeatsRecord& record, const std::vector<RunRecord>& runs, std::size_t width) {
  std::string text = "\n";
  for (const std::string& warning : warnings_of(runs)) text += warning + "\n";
  text += fmt::format("mean ± standard deviation over {} runs\n", record.seeds.size());
  if (record.findings) return text + findings_table(*record.findings);
  const ScoreTables tables = score_tables(runs);
  text += models_table(tables, runs.size(), width);
  return tables.likenesses.empty() ? text : text + "\n" + likeness_table(tables, runs.size(), width);
}

}  // namespace ansatz::experiments
