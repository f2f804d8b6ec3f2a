// Low-rank polynomial tasks that know their own gradient outer product (paper, Fig. 16 and appendix D).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Each part is a comparison on a synthetic task (dataset: low_rank). Findings, a part each: r of the feature matrices
/// of RFM and network with the expected gradient outer product, R² on test of every model. Figure: that matrix beside
/// both feature matrices.
PreparedExperiment prepare_low_rank(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
