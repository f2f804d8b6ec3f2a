// Which model is best where in a sweep over two or more keys.
#pragma once

#include <vector>

#include "core/record/sweep/sweep_families.h"
#include "experiments/sweeps/pictures/sweep_plots.h"
#include "experiments/sweeps/pictures/sweep_points.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// A map for each of the first panels, the axis of lines down and x across, both ascending. None unless the family is
/// of scores, of which the largest is best, and has several models. A point at which a model has no score in any run is
/// left to the others, and one at which none is better than a constant to nobody.
std::vector<viz::WinnerMap> winner_maps(const SweepPoints& points, const SweepPlots& plots, const SweepFamily& family);

}  // namespace ansatz::experiments
