// The Neural Feature Ansatz over training: W'W of every layer beside powers of the gradient outer product with respect
// to that layer's input (paper, equation of Section 2, and its later variants).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Each part trains a network on any data set with any optimiser. At the epochs of network.snapshots every variant of
/// core/features/ansatz_variants.h is measured for every layer, over network.gradient_samples points. Findings: r of
/// all entries at the last epoch, by part, layer and variant, and the fitted powers. Figures: r by epoch. The last
/// layer is linear in its input: its AGOP is W'W itself, its centred AGOP 0 (r undefined).
PreparedExperiment prepare_nfa_over_training(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
