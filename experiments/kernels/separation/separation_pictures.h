// The figures of the experiment `separation`.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/kernels/separation/separation_errors.h"

namespace ansatz::experiments {

/// separation_samples and separation_units: a plot a target, in the order of kTargets, as `measured` is.
void draw_targets(const SeparationOptions& o, const std::vector<TargetErrors>& measured,
                  const std::filesystem::path& folder);
/// staircase: a plot a dimension.
void draw_staircase(const SeparationOptions& o, const std::vector<StaircaseCurves>& curves,
                    const std::filesystem::path& folder);

}  // namespace ansatz::experiments
