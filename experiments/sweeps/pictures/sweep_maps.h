// A sweep over two keys of numbers as heat maps.
#pragma once

#include <vector>

#include "core/record/sweep/sweep_families.h"
#include "experiments/sweeps/pictures/sweep_points.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// One for each member with a value at every point: the first key down, the second across, both ascending. None unless
/// there are two keys, each with at least three values that are numbers.
std::vector<viz::HeatMap> heat_maps(const SweepPoints& points, const SweepFamily& family);

}  // namespace ansatz::experiments
