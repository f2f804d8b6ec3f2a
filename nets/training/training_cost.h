// What a training will cost, estimated for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "nets/training/trainer.h"

namespace ansatz::nets {

struct TrainingSize {
  Index train = 0, validation = 0, inputs = 0, outputs = 0;
};

/// How many of the `available` threads a step over `rows` rows is worth, at three products a weight, forward and back.
/// With less than some 8 million operations each, a thread has done its share before the others have joined, and on a
/// machine that others use too, waiting for them takes many times as long as the work.
int threads_of_step(double weights, Index rows, int available);

/// `looks`: the number of other epochs after which W_1 is read, which takes a product if training is in the span.
Cost training_cost(const MlpOptions& network, const TrainOptions& training, const TrainingSize& size, Index looks,
                   std::size_t scalar_bytes);

}  // namespace ansatz::nets
