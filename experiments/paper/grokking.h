// Grokking: the test accuracy rises when training has nearly fitted already (paper, Section 4.2 and Fig. 7).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Each part trains a network and a diagonal RFM on marked photographs (dataset: starred_planes_trucks). The test set
/// is looked at on the way, nothing is chosen by it. Findings, a part each: RFM test accuracy before and after one
/// update, share of both diagonals on the marker, the epoch at which the network fits and the one at which it
/// generalises. Figure: both courses with the diagonals as insets.
PreparedExperiment prepare_grokking(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
