// W_1 as a trained network has it: what Theorem 1 and Proposition 3 call "fixed and arbitrary".
#pragma once

#include "core/base/random.h"
#include "core/data/loading/load_dataset.h"

namespace ansatz::experiments {

struct TrainedFirstLayerOptions {
  LowRankOptions target;  ///< with the dimension d of the inputs
  Index width = 16;       ///< k_1 of the one hidden layer (ReLU, no biases)
  Index samples = 1000;
  Index epochs = 200;
  double learning_rate = 0.01;  ///< of Adam, on batches of 32
};

struct TrainedFirstLayer {
  Matrix<double> weight;  ///< W_1, k_1 x d, after the last epoch
  /// tr(U W_1^T W_1 U^T) / tr(W_1^T W_1) with U the orthonormal rows of the target's subspace: r/d on average at the
  /// initial weights.
  double share_before = 0, share = 0;
  double r2 = 0;  ///< on 2000 rows of its own
};

TrainedFirstLayer train_first_layer(const TrainedFirstLayerOptions& options, const RandomStream& stream);

}  // namespace ansatz::experiments
