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

template <class Scalar>
std::vector<ModelScore> model_scores(const Results<Scalar>& results) {
  std::vector<ModelScore> scores;
  if (results.network) scores.push_back({"network", results.network->test});
  if (results.rfm) scores.push_back({"rfm", results.rfm->trace.iteration().test});
  for (const KernelMachineResult& kernel : results.kernels) scores.push_back({kernel.label, kernel.test});
  return scores;
}

std::vector<std::string> score_names(const std::string& prefix, Score score, const FeatureComparisonOptions& options) {
  std::vector<std::string> models;
  if (options.network) models.push_back("network");
  if (options.rfm) models.push_back("rfm");
  for (const KernelMachineOptions& machine : options.kernel_machines) models.push_back(machine.label);
  for (std::string& model : models) model = fmt::format("{}{}_{}", prefix, model, name_of(score));
  return models;
}

std::vector<Finding> score_findings(const std::string& prefix, const std::string& of, Score score,
                                    const std::vector<ModelScore>& scores) {
  static const char* const meanings[] = {"test accuracy", "test MSE", "test R²"};
  std::vector<Finding> findings;
  for (const ModelScore& model : scores)
    findings.push_back({fmt::format("{}{}_{}", prefix, model.model, name_of(score)),
                        fmt::format("{}{}, {}", of, meanings[static_cast<int>(score)], model.model),
                        value_of(score, model.test), score == Score::accuracy ? "%" : ""});
  return findings;
}

std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options) {
  return score_names(prefix, Score::accuracy, options);
}

template <class Scalar>
std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of,
                                       const Results<Scalar>& results) {
  return score_findings(prefix, of, Score::accuracy, model_scores(results));
}

template std::vector<ModelScore> model_scores(const Results<float>&);
template std::vector<ModelScore> model_scores(const Results<double>&);
template std::vector<Finding> accuracy_findings(const std::string&, const std::string&, const Results<float>&);
template std::vector<Finding> accuracy_findings(const std::string&, const std::string&, const Results<double>&);

}  // namespace ansatz::experiments
