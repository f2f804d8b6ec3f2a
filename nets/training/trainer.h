// Training by gradient steps, with the best validation epoch kept.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/metrics.h"
#include "core/record/epoch_record.h"
#include "nets/mlp.h"
#include "nets/training/train_options.h"

namespace ansatz::nets {

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

/// Trains `state` up to epoch options.epochs, or options.stop_at_train_loss, and returns it. A state that has already
/// been trained must be given the same sets as before. The result is deterministic for a given stream and thread count,
/// also across save and load. Throws NumericalError on a non-finite loss ("lower `optimizer.learning_rate` or use a
/// smaller `first_layer_std`", with epoch and rate), and ConfigError on options out of range or on Device::cuda without
/// CUDA.
template <class Scalar>
TrainState<Scalar> train(TrainState<Scalar> state, const Dataset<Scalar>& train_set,
                         const Dataset<Scalar>& validation_set, const TrainOptions& options, const RandomStream& stream,
                         const EpochCallback<Scalar>& on_epoch = {});

}  // namespace ansatz::nets
