// Findings that every experiment has: how well its models predict.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/findings.h"
#include "experiments/results/results.h"

namespace ansatz::experiments {

enum class Score { accuracy, mse, r2 };
const char* name_of(Score score);                                  ///< "accuracy", "mse", "r2"
double value_of(Score score, const std::optional<Metrics>& test);  ///< accuracy in percent; NaN where there is none

/// Test results of every model, in the order network, RFM (its reported iteration), kernel machines by label.
struct ModelScore {
  std::string model;
  std::optional<Metrics> test;
};
template <class Scalar>
std::vector<ModelScore> model_scores(const Results<Scalar>& results);

/// "<prefix>network_<score>", "<prefix>rfm_<score>", "<prefix><label>_<score>" of what the options name.
std::vector<std::string> score_names(const std::string& prefix, Score score, const FeatureComparisonOptions& options);
/// These. `of`: "Eyeglasses: ", before each meaning.
std::vector<Finding> score_findings(const std::string& prefix, const std::string& of, Score score,
                                    const std::vector<ModelScore>& scores);

/// Of accuracies.
std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options);
template <class Scalar>
std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of,
                                       const Results<Scalar>& results);

/// Test accuracy in percent; NaN without test rows.
double percent(const std::optional<Metrics>& test);

}  // namespace ansatz::experiments
