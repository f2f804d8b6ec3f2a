// How a network does on rows it has not seen while it trains, and where its first layer looks.
#pragma once

#include <limits>

#include "core/data/metrics.h"
#include "core/features/region_share.h"

namespace ansatz {

/// After an epoch. What is not known is NaN.
struct Generalization {
  Metrics test;
  /// Mean over the classes of the accuracy on their training rows: 1 only once the rows of a small class are fitted.
  double train_balanced_accuracy = std::numeric_limits<double>::quiet_NaN();
  RegionShare weights;  ///< of diag(W₁ᵀW₁), on the region that the experiment names
  RegionShare learned;  ///< of diag((W₁−W₀)ᵀ(W₁−W₀)), what training added
};

}  // namespace ansatz
