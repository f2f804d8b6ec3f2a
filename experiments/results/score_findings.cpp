#include "experiments/results/score_findings.h"

#include <fmt/format.h>

#include <limits>

namespace ansatz::experiments {

const char* name_of(Score score) {
  static const char* const names[] = {"accuracy", "mse", "r2"};
  return names[static_cast<int>(score)];
}

double value_of(Score score, const std::optional<Metrics>& test) {
  if (!test || (score == Score::accuracy && !test->accuracy)) return std::numeric_limits<double>::quiet_NaN();
  if (score == Score::accuracy) return 100 * *test->accuracy;
  return score == Score::mse ? test->mse : test->r2;
}

double percent(const std::optional<Metrics>& test) { return value_of(Score::accuracy, test); }

std::vector<std::string> score_names(const std::string& prefix, Score score, const FeatureComparisonOptions& options) {
  std::vector<std::string> models;
  if (options.network) models.push_back("network");
  if (options.rfm) models.push_back("rfm");
  for (const KernelMachineOptions& machine : options.kernel_machines) models.push_back(machine.label);
  for (std::string& model : models) model = fmt::format("{}{}_{}", prefix, model, name_of(score));
  return models;
}

std::vector<Finding> score_findings(const std::string& prefix, const std::string& of, Score score,
                                    const std::vector<ModelScores>& scores) {
  static const char* const meanings[] = {"test accuracy", "test MSE", "test R²"};
  std::vector<Finding> findings;
  for (const ModelScores& model : scores)
    findings.push_back({fmt::format("{}{}_{}", prefix, model.model, name_of(score)),
                        fmt::format("{}{}, {}", of, meanings[static_cast<int>(score)], model.model),
                        value_of(score, model.metrics.test), score == Score::accuracy ? "%" : ""});
  return findings;
}

std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options) {
  return score_names(prefix, Score::accuracy, options);
}

std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of, const RunRecord& record) {
  return score_findings(prefix, of, Score::accuracy, scores_of(record));
}

}  // namespace ansatz::experiments
