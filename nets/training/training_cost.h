// What a training will cost, estimated for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "nets/training/trainer.h"

namespace ansatz::nets {

struct TrainingSize {
  Index train = 0, validation = 0, inputs = 0, outputs = 0;
};

/// `looks`: the number of other epochs after which W_1 is read, which takes a product if training is in the span.
Cost training_cost(const MlpOptions& network, const TrainOptions& training, const TrainingSize& size, Index looks,
                   std::size_t scalar_bytes);

}  // namespace ansatz::nets
