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
  Index inputs = 0;       ///< of the network; current and best have fewer while they are trained in the span of these
  at::Tensor start;       ///< W_1 before training, k x d
  detail::Stack current;  ///< in_span(): with V for W_1, and so is `best`
  std::optional<detail::InputSpan> span;  ///< of a training in it, from its first epoch on
  detail::OptimizerState optimizer;
  std::optional<detail::Stack> best;  ///< none: `current` is what counts
  Index best_epoch = 0;
  Metrics best_metrics;  ///< on the validation set
  std::vector<EpochRecord> history;

  bool in_span() const { return current.inputs() != inputs; }
  detail::Stack whole(const detail::Stack& stack) const { return in_span() ? span->lift(stack, start) : stack; }
};

}  // namespace ansatz::nets
