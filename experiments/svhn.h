// The digit in the centre, among others: both models look at the middle columns (paper, Section 3.2 and Fig. 3).
#pragma once

#include "core/dataset.h"
#include "experiments/registry.h"

namespace ansatz::experiments {

/// Share of the middle half of each image's columns (from width/4 on, all channels) in the sum of `values` (d); NaN if
/// that is 0.
double center_share(const Vector<double>& values, const ImageShape& shape);

/// One comparison on dataset svhn or crowded_digits, in parts/<dataset>/; kernel machines on `metric: rfm` give the
/// paper's "RFM (NTK)". Findings: accuracy and mean squared error of every model, what the RFM gains over its plain
/// kernel, the share of the middle columns in every diagonal, r of the diagonals. Figures: samples, diagonals, scores.
PreparedExperiment prepare_svhn(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
