#include "nets/training/backpropagation.h"

namespace ansatz::nets::detail {

Backpropagation::Backpropagation(const Stack& stack, Index rows) {
  for (const Layer& layer : stack.layers) {
    values_.push_back(at::empty({rows, layer.weight.size(0)}, layer.weight.options()));
    gradients_.push_back(at::empty_like(values_.back()));
    if (info_of(stack.activation).from_argument) arguments_.push_back(at::empty_like(values_.back()));
  }
}

void Backpropagation::run(const Stack& stack, const at::Tensor& x, const OutputGradient& loss,
                          const LayerGradient& visit) {
  const Index b = x.size(0);
  const std::size_t last = stack.layers.size() - 1;
  const ActivationInfo& activation = info_of(stack.activation);
  const auto rows_of = [b](const at::Tensor& buffer) { return buffer.narrow(0, 0, b); };

  std::vector<at::Tensor> inputs{x};  // of each layer
  for (std::size_t l = 0; l <= last; ++l) {
    at::Tensor z = rows_of(values_[l]);
    pre_activation(stack.layers[l], inputs[l], z);
    if (l == last) break;
    if (activation.from_argument) rows_of(arguments_[l]).copy_(z);
    activation.apply(z);
    inputs.push_back(z);
  }

  at::Tensor g = rows_of(gradients_[last]);
  loss(rows_of(values_[last]), g);
  for (std::size_t l = last; l > 0; --l) {
    at::Tensor below = rows_of(gradients_[l - 1]);
    const Layer& layer = stack.layers[l];
    at::addmm_out(below, below, g, layer.weight, 0, layer.weight_multiplier);
    activation.multiply_by_derivative(below, activation.from_argument ? rows_of(arguments_[l - 1]) : inputs[l]);
    visit(l, g, inputs[l]);
    g = below;
  }
  visit(0, g, x);
}

}  // namespace ansatz::nets::detail
