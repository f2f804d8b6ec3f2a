// Findings that every classification experiment has: how well its models predict.
#pragma once

#include <string>
#include <vector>

#include "experiments/findings.h"
#include "experiments/results.h"

namespace ansatz::experiments {

/// "<prefix>network_accuracy", "<prefix>rfm_accuracy", "<prefix><label>_accuracy" of what the options name.
std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options);

/// These, in percent on test; of the RFM at its reported iteration. `of`: "Eyeglasses: ", before each meaning.
template <class Scalar>
std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of,
                                       const Results<Scalar>& results);

/// Test accuracy in percent; NaN without test rows.
double percent(const std::optional<Metrics>& test);

}  // namespace ansatz::experiments
