// Given a photograph and a digit that tell the same, both models look at the digit (paper, Section 4.3 and Fig. 8).
#pragma once

#include "core/data/dataset.h"
#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Left: the photograph; right: the digit.
enum class Half { left, right };

/// Images (n x d) of which one half is that of as many others: what a model makes of them says which half it uses.
Matrix<double> with_half_of(const Matrix<double>& images, const Matrix<double>& others, const ImageShape& shape,
                            Half half);

/// One comparison on dataset cifar_mnist, in parts/cifar_mnist/. Findings: share of the digit's half in the
/// diagonals of W₁ᵀW₁, (W₁−W₀)ᵀ(W₁−W₀), W₀ᵀW₀, the network's AGOP and the RFM's M, r of the diagonals, test accuracies
/// of both models as they are and with the photographs, or the digits, of the test images shuffled. Figure: both
/// diagonals.
PreparedExperiment prepare_simplicity_bias(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
