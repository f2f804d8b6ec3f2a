// The two factors of a network's parameter gradients. For sources of nets/ only.
#pragma once

#include <vector>

#include "nets/stack.h"

namespace ansatz::nets::detail {

/// Of one layer, at the rows of x: the gradient of output c in W is weight_multiplier * s_c h^T, and that in b is
/// bias_multiplier * s_c.
struct LayerFactors {
  at::Tensor inputs;   ///< h, the layer's input, b x k_{l-1}
  at::Tensor signals;  ///< s_c, the gradient of each output in the layer's pre-activation, b x c x k_l
};

/// Of the layers first..last (from 0, both included), in this order, by one pass forward and one back over x (b x d, on
/// the stack's device).
std::vector<LayerFactors> layer_factors(const Stack& stack, const at::Tensor& x, std::size_t first, std::size_t last);

}  // namespace ansatz::nets::detail
