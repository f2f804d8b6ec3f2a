// What is known of a network after one epoch.
#pragma once

#include <optional>

#include "core/data/metrics.h"

namespace ansatz {

/// After an epoch (0: the initial network). Loss: the one trained on (core/data/metrics.h); of squared errors in
/// the unit that the network sees (core/data/target_scaling.h), whereas the metrics are in the targets' own.
struct EpochRecord {
  Index epoch = 0;
  double train_loss = 0;  ///< mean over the epoch's batches while training (epoch 0 and evaluated epochs: of `train`)
  std::optional<Metrics> train;  ///< evaluated epochs only
  std::optional<Metrics> validation;
  double seconds = 0;  ///< since the start of training, resumed time included
};

}  // namespace ansatz
