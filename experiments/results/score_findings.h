// Findings that every experiment has: how well its models predict.
#pragma once

#include <string>
#include <vector>

#include "experiments/options/options.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {

enum class Score { accuracy, mse, r2 };
const char* name_of(Score score);                                  ///< "accuracy", "mse", "r2"
double value_of(Score score, const std::optional<Metrics>& test);  ///< accuracy in percent; NaN where there is none

/// Of the model of that name on its test rows; NaN where there is no such model.
double value_of(Score score, const std::vector<ModelScores>& scores, const std::string& model);

/// "<prefix>network_<score>", "<prefix>rfm_<score>", "<prefix><label>_<score>" of what the options name. A network of
/// logits has no MSE: there "<prefix>network_cross_entropy" stands in its place.
std::vector<std::string> score_names(const std::string& prefix, Score score, const FeatureComparisonOptions& options);
/// These, on the `test_rows` test rows; accuracies with their standard error. `of`: "Eyeglasses: ", before each
/// meaning.
std::vector<Finding> score_findings(const std::string& prefix, const std::string& of, Score score,
                                    const std::vector<ModelScores>& scores, Index test_rows);

/// An accuracy in percent on that many rows, with its binomial standard error.
Finding accuracy_finding(std::string name, std::string meaning, double percent, Index rows);
/// An accuracy less another on as many rows, both in percent. The standard error is that of independent rows, which is
/// not below the paired one where the two tend to be right on the same rows.
Finding gain_finding(std::string name, std::string meaning, double percent, double other_percent, Index rows);
/// The same of what is right of the same rows, with the paired standard error. DataError if the sizes differ.
Finding paired_gain_finding(std::string name, std::string meaning, const std::vector<bool>& right,
                            const std::vector<bool>& other_right);

/// Of accuracies.
std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options);
std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of, const RunRecord& record);

/// Test accuracy in percent; NaN without test rows.
double percent(const std::optional<Metrics>& test);

}  // namespace ansatz::experiments
