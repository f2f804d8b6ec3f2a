// A network as it is trained on made targets, where nothing is chosen on validation rows.
#pragma once

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "nets/training/trainer.h"

namespace ansatz::experiments {

/// `initial` after so many epochs of Adam on batches of 32 of the training rows; the last epoch counts. Batches come
/// from the stream "training".
nets::TrainState<double> trained_by_adam(const nets::Mlp<double>& initial, const Split<double>& split, Index epochs,
                                         double learning_rate, const RandomStream& stream);

}  // namespace ansatz::experiments
