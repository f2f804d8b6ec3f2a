// What depth does to the features of the first layer (paper, Section 6, Figs 10 to 14).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Sum of the `count` largest of `values` over the sum of all.
double largest_share(const Vector<double>& values, Index count);

/// The top level's network, of which `hidden_layers` is one width, at each of depth_amplification.depths; beside each
/// the kernel machines, of which ntk and nngp take the network's depth, and those that depend on neither depth nor
/// network are fitted once, with the first. One part a depth: parts/depth1/, ...
///
/// Findings of each: R² (classification: accuracy and mean squared error) of every model on test, and how much of
/// diag(W₁ᵀW₁) lies on the coordinates that the target depends on (low_rank) or on the depth_amplification.largest =
/// 300 largest entries (image data); over all depths what the deepest network gains over the shallowest, and what each
/// kernel on the network's features gains over its network at the depth where that is least. Figures: W₁ᵀW₁ by depth
/// (images: with what training added and the centred AGOP), its sorted or normalised diagonals, and the scores by
/// depth. Also scores.csv.
PreparedExperiment prepare_depth_amplification(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
