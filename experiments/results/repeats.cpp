#include "experiments/results/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/results/findings.h"

namespace ansatz::experiments {
namespace {

using Values = std::map<std::string, std::vector<double>>;

void collect(const std::string& key, double value, Values& values) {
  if (std::isfinite(value)) values[key].push_back(value);
}

void collect(const std::string& prefix, const std::optional<Metrics>& metrics, Values& values) {
  if (!metrics) return;
  if (metrics->accuracy) collect(prefix + "accuracy", *metrics->accuracy, values);
  if (metrics->cross_entropy) collect(prefix + "cross_entropy", *metrics->cross_entropy, values);
  collect(prefix + "mse", metrics->mse, values);
  collect(prefix + "r2", metrics->r2, values);
}

/// A comparison's models and likenesses; of an experiment of parts its findings.
void collect(const RunRecord& run, Values& values) {
  for (const auto& [model, metrics] : scores_of(run)) {
    collect(fmt::format("models.{}.train.", model), metrics.train, values);
    collect(fmt::format("models.{}.validation.", model), metrics.validation, values);
    collect(fmt::format("models.{}.test.", model), metrics.test, values);
  }
  for (const FeaturePair& pair : run.pairs) {
    const std::string prefix = fmt::format("comparisons.{}~{}.", pair.a.name(), pair.b.name());
    const FeatureComparison& c = pair.values;
    collect(prefix + "diagonal_pearson", c.diagonal_pearson, values);
    collect(prefix + "matrix_pearson", c.matrix_pearson, values);
    collect(prefix + "off_diagonal_pearson", c.off_diagonal_pearson, values);
    collect(prefix + "cosine", c.cosine, values);
    if (!c.top_eigenvector_pearson.empty())
      collect(prefix + "top_eigenvector_pearson", c.top_eigenvector_pearson.front(), values);
  }
  if (!run.findings) return;
  for (const JudgedFinding& finding : run.findings->list) collect("findings." + finding.name, finding.value, values);
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

}  // namespace

RepeatsRecord summarize_repeats(const std::vector<RunRecord>& runs) {
  Values values, errors;
  RepeatsRecord record;
  for (const RunRecord& run : runs) {
    record.experiment = run.experiment;
    record.conventions = run.conventions;
    if (run.data) record.data = run.data;
    record.seeds.push_back(run.seed);
    collect(run, values);
    if (!run.findings) continue;
    for (const JudgedFinding& finding : run.findings->list)
      if (finding.standard_error) collect(finding.name, *finding.standard_error, errors);
  }
  for (const auto& [key, list] : values) record.summary.emplace_back(key, spread_of(list));
  for (const RunRecord& run : runs)
    if (run.findings && !record.findings)
      record.findings = findings_over_runs(*run.findings, values, errors, runs.size());
  return record;
}

std::string repeats_table(const RepeatsRecord& record) {
  std::string text = fmt::format("\nmean and standard deviation over {} runs\n", record.seeds.size());
  if (record.findings) return text + findings_table(*record.findings);
  for (const auto& [key, spread] : record.summary)
    if (shown_to_people(key)) text += fmt::format("{:<64} {:.4f} ± {:.4f}\n", key, spread.mean, spread.sd);
  return text;
}

}  // namespace ansatz::experiments
