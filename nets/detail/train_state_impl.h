// What a TrainState holds. For sources of nets/ only.
#pragma once

#include <optional>
#include <vector>

#include "nets/detail/mlp_impl.h"
#include "nets/detail/optimizer.h"
#include "nets/trainer.h"

namespace ansatz::nets {

template <class Scalar>
struct TrainState<Scalar>::Impl {
  MlpOptions options;
  detail::Stack current;
  detail::OptimizerState optimizer;
  std::optional<detail::Stack> best;  ///< none: `current` is what counts
  Index best_epoch = 0;
  Metrics best_metrics;  ///< on the validation set
  std::vector<EpochRecord> history;
};

}  // namespace ansatz::nets
