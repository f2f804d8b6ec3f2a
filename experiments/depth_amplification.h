// What depth does to the features of the first layer (paper, Section 6 and Figs 10, 14).
#pragma once

#include "experiments/registry.h"

namespace ansatz::experiments {

/// Each part is a network of one depth on the same synthetic task (dataset: low_rank), with fixed kernels beside it,
/// some of them on the metric W1'W1 (kernel_machines: metric: network). Findings, a part each: R² on test of every
/// model, and the share of diag(W1'W1) on the coordinates that the target depends on. Figures: the top-left corners of
/// W1'W1, their normalised diagonals by depth, and R² by depth.
PreparedExperiment prepare_depth_amplification(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
