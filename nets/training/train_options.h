// How a network is trained.
#pragma once

#include <string>
#include <vector>

#include "core/data/metrics.h"
#include "nets/mlp.h"

namespace ansatz::nets {

struct OptimizerOptions {
  enum class Kind { sgd, adam, adamw } kind = Kind::sgd;
  double learning_rate = 0.1;
  double momentum = 0;  ///< sgd
  /// As in torch.optim. sgd and adam: L2, added to the gradient; adamw: parameters times 1 - learning_rate *
  /// weight_decay before the step (Loshchilov and Hutter 2019).
  double weight_decay = 0;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< adam, adamw
};

struct OptimizerInfo {
  std::string name;
  OptimizerOptions::Kind kind;
  bool moments;                        ///< keeps first and second moments of the gradient
  double learning_rate, weight_decay;  ///< defaults; those of torch.optim, except for the rate of sgd, which has none
};
const std::vector<OptimizerInfo>& optimizer_table();
const OptimizerInfo& info_of(OptimizerOptions::Kind kind);

struct TrainOptions {
  Loss loss = Loss::mse;
  OptimizerOptions optimizer;
  Index batch_size = 128;  ///< 0: full batch. The last batch of an epoch may be smaller
  Index epochs = 100;
  Index evaluate_every = 1;  ///< epochs between evaluations on train and validation (the last epoch always)
  /// Training ends after the first evaluated epoch whose loss on the training set is not above this, so that networks
  /// which learn at different speeds can be compared at equal training error. 0: never.
  double stop_at_train_loss = 0;
  /// Whether to report the best epoch on the validation set (ties: the later one). If not, or without a validation set,
  /// the last epoch is reported.
  bool keep_best = true;
  Device device = Device::cpu;

  /// Where n < d, SGD moves W_1 only within the span of the training rows.
  /// - in_span: trains W_1 in that span, which is the same up to rounding but has n inputs instead of d. The span
  ///   includes the validation rows, so that they are predicted in it, too.
  /// - direct: trains W_1 as it is.
  /// - automatic: in_span if that is possible and saves more flops than it costs.
  enum class FirstLayer { automatic, direct, in_span } first_layer = FirstLayer::automatic;
};

/// Whether the steps of this optimizer keep W_1 within the span. They do not for Adam and AdamW, which scale
/// coordinates, nor with weight decay, which shrinks what lies outside.
bool stays_in_span(const OptimizerOptions& optimizer);
inline constexpr const char* kInSpanNeeds = "in_span is for optimizer sgd without weight_decay; take auto or direct";

/// Whether a training with that many training and validation rows of d inputs, and k outputs of the first layer, is
/// done in the span. ConfigError if in_span is asked for but the optimizer does not stay there, or if d is not larger
/// than the number of rows.
bool trains_in_span(const TrainOptions& options, Index train, Index validation, Index d, Index k);

/// ConfigError unless all options are within what Scalar and a training can do.
template <class Scalar>
void validate(const TrainOptions& options);

}  // namespace ansatz::nets
