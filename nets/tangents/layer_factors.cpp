#include "nets/tangents/layer_factors.h"

namespace ansatz::nets::detail {

std::vector<LayerFactors> layer_factors(const Stack& stack, const at::Tensor& x, std::size_t first, std::size_t last) {
  const std::size_t top = stack.layers.size() - 1;
  const Index b = x.size(0), c = stack.outputs();
  const ActivationInfo& activation = info_of(stack.activation);
  std::vector<LayerFactors> factors(last - first + 1);
  std::vector<at::Tensor> derivatives(top);  // phi'(z_l) of the hidden layers from `first` up
  at::Tensor h = x;
  for (std::size_t l = 0; l <= top; ++l) {
    if (l >= first && l <= last) factors[l - first].inputs = h;
    if (l == top) break;
    at::Tensor z = at::empty({b, stack.layers[l].weight.size(0)}, x.options());
    pre_activation(stack.layers[l], h, z);
    if (l >= first) derivatives[l] = activation.derivative(z);
    activation.apply(z);
    h = z;
  }

  at::Tensor s = at::eye(c, x.options()).unsqueeze(0).expand({b, c, c}).contiguous();
  for (std::size_t l = top;; --l) {
    if (l <= last) factors[l - first].signals = s;
    if (l == first) return factors;
    const at::Tensor w = stack.layers[l].effective_weight();
    s = s.view({b * c, w.size(0)}).mm(w).view({b, c, w.size(1)});
    s.mul_(derivatives[l - 1].unsqueeze(1));
  }
}

}  // namespace ansatz::nets::detail
