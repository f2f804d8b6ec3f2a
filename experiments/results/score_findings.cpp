#include "experiments/results/score_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/record/findings/standard_errors.h"

namespace ansatz::experiments {

namespace {

constexpr const char* kCrossEntropy = "cross_entropy";

}  // namespace

const char* name_of(Score score) {
  static const char* const names[] = {"accuracy", "mse", "r2"};
  return names[static_cast<int>(score)];
}

double value_of(Score score, const std::optional<Metrics>& test) {
  if (!test || (score == Score::accuracy && !test->accuracy)) return std::numeric_limits<double>::quiet_NaN();
  if (score == Score::accuracy) return 100 * *test->accuracy;
  return score == Score::mse ? test->mse : test->r2;
}

double value_of(Score score, const std::vector<ModelScores>& scores, const std::string& model) {
  for (const ModelScores& entry : scores)
    if (entry.model == model) return value_of(score, entry.metrics.test);
  return std::numeric_limits<double>::quiet_NaN();
}

double percent(const std::optional<Metrics>& test) { return value_of(Score::accuracy, test); }

std::vector<std::string> score_names(const std::string& prefix, Score score, const FeatureComparisonOptions& options) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& model, bool logits) {
    names.push_back(fmt::format("{}{}_{}", prefix, model, logits ? kCrossEntropy : name_of(score)));
  };
  const bool in_mse = score == Score::mse;
  if (options.network) add("network", in_mse && options.network->training.loss == Loss::cross_entropy);
  if (options.rfm) add("rfm", false);
  for (const KernelMachineOptions& machine : options.kernel_machines) add(machine.label, false);
  return names;
}

std::vector<Finding> score_findings(const std::string& prefix, const std::string& of, Score score,
                                    const std::vector<ModelScores>& scores, Index test_rows) {
  static const char* const meanings[] = {"test accuracy", "test MSE", "test R²"};
  std::vector<Finding> findings;
  for (const ModelScores& model : scores) {
    const std::optional<Metrics>& test = model.metrics.test;
    if (score == Score::mse && model.metrics.train.cross_entropy) {
      findings.push_back({fmt::format("{}{}_{}", prefix, model.model, kCrossEntropy),
                          fmt::format("{}test cross-entropy (nats), {}", of, model.model),
                          test ? *test->cross_entropy : std::numeric_limits<double>::quiet_NaN()});
      continue;
    }
    const std::string name = fmt::format("{}{}_{}", prefix, model.model, name_of(score));
    const std::string meaning = fmt::format("{}{}, {}", of, meanings[static_cast<int>(score)], model.model);
    const double value = value_of(score, test);
    findings.push_back(score == Score::accuracy ? accuracy_finding(name, meaning, value, test_rows)
                                                : Finding{name, meaning, value});
  }
  return findings;
}

Finding accuracy_finding(std::string name, std::string meaning, double percent, Index rows) {
  return {std::move(name), std::move(meaning), percent, "%", 100 * accuracy_standard_error(percent / 100, rows)};
}

Finding gain_finding(std::string name, std::string meaning, double percent, double other_percent, Index rows) {
  const double error =
      std::hypot(accuracy_standard_error(percent / 100, rows), accuracy_standard_error(other_percent / 100, rows));
  return {std::move(name), std::move(meaning), percent - other_percent, "%", 100 * error};
}

Finding paired_gain_finding(std::string name, std::string meaning, const std::vector<bool>& right,
                            const std::vector<bool>& other_right) {
  const auto hits = [](const std::vector<bool>& of) {
    return static_cast<double>(std::count(of.begin(), of.end(), true));
  };
  const double error = paired_standard_error(right, other_right);  // that the sizes agree is checked there
  const double difference = (hits(right) - hits(other_right)) / static_cast<double>(right.size());
  return {std::move(name), std::move(meaning), 100 * difference, "%", 100 * error};
}

std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options) {
  return score_names(prefix, Score::accuracy, options);
}

std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of, const RunRecord& record) {
  return score_findings(prefix, of, Score::accuracy, scores_of(record), record.data ? record.data->test_size : 0);
}

}  // namespace ansatz::experiments
