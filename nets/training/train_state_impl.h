// What a TrainState holds. For sources of nets/ only.
#pragma once

#include <optional>
#include <vector>

#include "nets/mlp_impl.h"
#include "nets/training/input_span.h"
#include "nets/training/optimizer.h"
#include "nets/training/trainer.h"

namespace ansatz::nets {

template <class Scalar>
struct TrainState<Scalar>::Impl {
  MlpOptions options;
  Index inputs = 0;                       ///< of the network; in_span(), `current` and `best` have fewer
  at::Tensor start;                       ///< W_1 before training, k x d
  detail::Stack current;                  ///< in_span(): V takes the place of W_1, as in `best`
  std::optional<detail::InputSpan> span;  ///< set by the first epoch of a training in the span
  detail::OptimizerState optimizer;
  std::optional<detail::Stack> best;  ///< none: the network reported is `current`
  Index best_epoch = 0;
  Metrics best_metrics;  ///< on the validation set
  std::vector<EpochRecord> history;

  bool in_span() const { return current.inputs() != inputs; }
  detail::Stack whole(const detail::Stack& stack) const { return in_span() ? span->lift(stack, start) : stack; }
};

}  // namespace ansatz::nets
