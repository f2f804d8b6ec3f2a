// The mathematics of a stack of fully connected layers on tensors: forward, and the signal propagated back.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "nets/mlp.h"

namespace ansatz::nets::detail {

/// z = weight_multiplier * h W^T + bias_multiplier * b. Multipliers other than 1 are those of the NTK
/// and maximal-update parameterisations and, in the last layer, output_scale.
struct Layer {
  at::Tensor weight;  ///< W, outputs x inputs
  at::Tensor bias;    ///< outputs, or undefined
  double weight_multiplier = 1;
  double bias_multiplier = 1;

  at::Tensor effective_weight() const;  ///< multiplier * W; shares memory with W if the multiplier is 1
};

struct Stack {
  std::vector<Layer> layers;
  Activation activation = Activation::relu;

  at::Device device() const { return layers.front().weight.device(); }
  Index inputs() const { return layers.front().weight.size(1); }
  Index outputs() const { return layers.back().weight.size(0); }
  Index widest() const;                        ///< largest number of outputs of a layer
  Stack copy_to(at::Device device) const;      ///< deep
  std::vector<at::Tensor> parameters() const;  ///< layer by layer, weight then bias
};

/// out (b x outputs) = pre-activation of `layer` for the rows of h (b x inputs).
void pre_activation(const Layer& layer, const at::Tensor& h, at::Tensor& out);

/// f(x) (b x c) for x (b x d) on the stack's device.
at::Tensor forward(const Stack& stack, const at::Tensor& x);

/// The same in tiles of rows, so that memory beyond the result does not grow with b; x may lie on another device.
at::Tensor forward_in_tiles(const Stack& stack, const at::Tensor& x);

/// Gradients of the outputs with respect to the pre-activation z_layer (layer counted from 1) at the rows of x:
/// b x c x k_layer. From the top: s_{L+1} = I, s_l = (s_{l+1} W_{l+1}) o phi'(z_l).
at::Tensor signals(const Stack& stack, const at::Tensor& x, Index layer);

/// How many rows of x to treat at once. A buffer that holds, for each row, `copies` times the outputs of the widest
/// layer should stay near the cache, while products need enough rows to run at full speed.
Index tile_rows(const Stack& stack, Index copies);

}  // namespace ansatz::nets::detail
