// What the trainer must do, done by LibTorch's autograd and torch::optim. No torch header here.
#pragma once

#include <vector>

#include "nets/training/trainer.h"

namespace ansatz::tests {

/// A network as plain matrices: layer l computes multipliers[l] * h weights[l]^T + bias_multipliers[l] * biases[l].
struct ReferenceNetwork {
  std::vector<Matrix<double>> weights;  ///< the parameters that the optimiser sees, outputs x inputs
  std::vector<Matrix<double>> biases;   ///< 1 x outputs; empty without biases
  std::vector<double> multipliers, bias_multipliers;
  nets::Activation activation = nets::Activation::relu;
};

ReferenceNetwork reference_of(const nets::Mlp<double>& network);

/// The gradients of the outputs with respect to the inputs, as Predictor::input_jacobian has them: (b c) x d.
Matrix<double> jacobian_with_autograd(const ReferenceNetwork& network, const Matrix<double>& inputs);

/// The gradients of the outputs with respect to the parameters of each layer: (b c) x (entries of W, row by row, then
/// of b), row i c + j of point i and output j.
std::vector<Matrix<double>> parameter_jacobians_with_autograd(const ReferenceNetwork& network,
                                                              const Matrix<double>& inputs);

/// The parameters after one optimiser step for each entry of `batches` (row numbers), on that loss; for cross_entropy
/// the targets are one-hot.
ReferenceNetwork train_with_autograd(ReferenceNetwork network, Loss loss, const nets::OptimizerOptions& options,
                                     const Matrix<double>& inputs, const Matrix<double>& targets,
                                     const std::vector<std::vector<Index>>& batches);

}  // namespace ansatz::tests
