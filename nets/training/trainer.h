// Training by SGD or Adam on the squared error, with the best validation epoch kept.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/metrics.h"
#include "core/record/epoch_record.h"
#include "nets/mlp.h"

namespace ansatz::nets {

struct OptimizerOptions {
  enum class Kind { sgd, adam } kind = Kind::sgd;
  double learning_rate = 0.1;
  double momentum = 0;      ///< sgd
  double weight_decay = 0;  ///< L2, added to the gradient as in torch.optim

  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  ///< adam
};

struct TrainOptions {
  OptimizerOptions optimizer;
  Index batch_size = 128;  ///< 0: full batch. The last batch of an epoch may be smaller
  Index epochs = 100;
  Index evaluate_every = 1;  ///< epochs between evaluations on train and validation (the last epoch always)
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

/// Whether the steps of this optimizer keep W_1 within the span. They do not for Adam, which scales coordinates, nor
/// with weight decay, which shrinks what lies outside.
bool stays_in_span(const OptimizerOptions& optimizer);
inline constexpr const char* kInSpanNeeds = "in_span is for optimizer sgd without weight_decay; take auto or direct";

/// Whether a training with that many training and validation rows of d inputs, and k outputs of the first layer, is
/// done in the span. ConfigError if in_span is asked for but the optimizer does not stay there, or if d is not larger
/// than the number of rows.
bool trains_in_span(const TrainOptions& options, Index train, Index validation, Index d, Index k);

/// Everything needed to continue exactly where training was after the epoch `history.back().epoch`: parameters,
/// optimiser buffers, the best network, and the history. The batch order of epoch e comes from the stream "epoch/e", so
/// that no random generator has to be saved.
template <class Scalar>
class TrainState {
 public:
  explicit TrainState(const Mlp<Scalar>& initial);
  TrainState(TrainState&&) noexcept;
  TrainState& operator=(TrainState&&) noexcept;
  ~TrainState();
  Index epoch() const;
  Mlp<Scalar> current() const;  ///< deep copies
  Mlp<Scalar> best() const;
  Index best_epoch() const;
  const std::vector<EpochRecord>& history() const;
  Matrix<Scalar> first_layer() const;  ///< W_1 now, k x d
  /// Writes/reads one file, whole or not at all. load throws DataError if damaged or of another architecture than
  /// `initial`.
  void save(const std::filesystem::path& path) const;
  static TrainState load(const std::filesystem::path& path, const Mlp<Scalar>& initial);
  struct Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Called after every epoch (and for epoch 0). Return false to stop.
template <class Scalar>
using EpochCallback = std::function<bool(const EpochRecord&, const TrainState<Scalar>&)>;

/// Trains `state` up to epoch options.epochs and returns it. A state that has already been trained must be given the
/// same sets as before. The result is deterministic for a given stream and thread count, also across save and load.
/// Throws NumericalError on a non-finite loss ("lower `optimizer.learning_rate` or use a smaller
/// `first_layer_std`", with epoch and rate), and ConfigError on options out of range or on Device::cuda without CUDA.
template <class Scalar>
TrainState<Scalar> train(TrainState<Scalar> state, const Dataset<Scalar>& train_set,
                         const Dataset<Scalar>& validation_set, const TrainOptions& options, const RandomStream& stream,
                         const EpochCallback<Scalar>& on_epoch = {});

}  // namespace ansatz::nets
