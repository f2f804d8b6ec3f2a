// Mean and standard deviation over runs that differ in their seed only.
#pragma once

#include <string>
#include <vector>

#include "core/record/repeats_record.h"

namespace ansatz::experiments {

/// Of experiments with findings also these, with mean and sd for the value (NaN if a run has none), judged by the mean.
RepeatsRecord summarize_repeats(const std::vector<RunRecord>& runs);

/// "models.rfm.test.accuracy   0.853 ± 0.004" for test metrics and diagonal/top-vector likeness.
std::string repeats_table(const RepeatsRecord& record);

}  // namespace ansatz::experiments
