// What network and RFM look at in faces, one task an attribute (paper, Figs 1, 2 and 15).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Section celeba_features: `attributes`, each a part on dataset celeba with the network and the RFM of the top level;
/// `control`: two of them, whose features should differ. Findings, an attribute each: r of the diagonals and |r| of the
/// top eigenvectors of W₁ᵀW₁ and the RFM's M, both at the initial weights too, the second eigenvalue relative to the
/// first, the mean r of the network's diagonal with the RFM's of the other tasks, test accuracies. Figures: top
/// eigenvectors and diagonals (Figs 1, 2), all eigenvectors compared (Fig. 15), task against task.
PreparedExperiment prepare_celeba_features(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
