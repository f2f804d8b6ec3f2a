// What a run that chooses options on the validation rows will cost.
#pragma once

#include "experiments/options/tune_options.h"
#include "experiments/plan.h"

namespace ansatz::experiments {

/// The plan of the comparison (of the costliest cell) after a stage for all cells. ConfigError if the data set keeps no
/// validation rows.
Plan plan_tuned(const FeatureComparisonOptions& base, const TuneOptions& tune);

}  // namespace ansatz::experiments
