// The gradient of a loss of a stack of layers, written out: no autograd graph, no allocation a step.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <vector>

#include "nets/stack.h"

namespace ansatz::nets::detail {

/// Receives, for one layer, g = dLoss/dz (b x outputs) and h, the layer's input (b x inputs). The gradient of the
/// parameter W is weight_multiplier * g^T h, and that of b is bias_multiplier * g^T 1. Called for the last layer first.
/// Nothing needs a layer's parameters after its call, so that the call may change them.
using LayerGradient = std::function<void(std::size_t layer, const at::Tensor& g, const at::Tensor& h)>;

/// Writes dLoss/df (b x c) into g, for the outputs f (b x c).
using OutputGradient = std::function<void(const at::Tensor& f, at::Tensor& g)>;

class Backpropagation {
 public:
  /// Buffers for up to `rows` rows at a time.
  Backpropagation(const Stack& stack, Index rows);

  /// One pass over x (b x d, b <= rows).
  void run(const Stack& stack, const at::Tensor& x, const OutputGradient& loss, const LayerGradient& visit);

 private:
  std::vector<at::Tensor> values_;     ///< phi(z_l), rows x k_l; the last one f(x)
  std::vector<at::Tensor> arguments_;  ///< z_l, if phi'(z) does not follow from phi(z)
  std::vector<at::Tensor> gradients_;  ///< dLoss/dz_l
};

}  // namespace ansatz::nets::detail
