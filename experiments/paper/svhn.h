// The digit in the centre, among others: both models look at the middle columns (paper, Section 3.2 and Fig. 3).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// One comparison on dataset svhn or crowded_digits, in parts/<dataset>/; kernel machines on `metric: rfm` give the
/// paper's "RFM (NTK)". Findings: accuracy and mean squared error of every model, what the RFM gains over its plain
/// kernel, the share of the middle half of the columns (from width/4 on) in every diagonal, r of the diagonals.
/// Figures: samples, diagonals, scores.
PreparedExperiment prepare_svhn(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
