// What a training will take: for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "nets/training/trainer.h"

namespace ansatz::nets {

struct TrainingSize {
  Index train = 0, validation = 0, inputs = 0, outputs = 0;
};

/// `looks`: epochs at which W_1 is asked for besides (in_span, that is a product).
Cost training_cost(const MlpOptions& network, const TrainOptions& training, const TrainingSize& size, Index looks,
                   std::size_t scalar_bytes);

}  // namespace ansatz::nets
