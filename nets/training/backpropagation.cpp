#include "nets/training/backpropagation.h"

namespace ansatz::nets::detail {
namespace {

// g <- g o phi'(z), where phi'(z) is computed from the value phi(z), or from the argument z for the quadratic.
void multiply_by_derivative(Activation activation, const at::Tensor& value, const at::Tensor& argument, at::Tensor& g) {
  switch (activation) {
    case Activation::relu:
      at::threshold_backward_out(g, g, value, 0);
      break;
    case Activation::tanh:
      at::tanh_backward_out(g, g, value);
      break;
    case Activation::quadratic:
      g.mul_(argument).mul_(2);
      break;
    case Activation::linear:
      break;
  }
}

}  // namespace

Backpropagation::Backpropagation(const Stack& stack, Index rows) {
  for (const Layer& layer : stack.layers) {
    values_.push_back(at::empty({rows, layer.weight.size(0)}, layer.weight.options()));
    gradients_.push_back(at::empty_like(values_.back()));
    if (stack.activation == Activation::quadratic) arguments_.push_back(at::empty_like(values_.back()));
  }
}

void Backpropagation::run(const Stack& stack, const at::Tensor& x, const at::Tensor& y, double loss_scale,
                          at::Tensor& sum_of_squares, const LayerGradient& visit) {
  const Index b = x.size(0);
  const std::size_t last = stack.layers.size() - 1;
  const auto rows_of = [b](const at::Tensor& buffer) { return buffer.narrow(0, 0, b); };

  std::vector<at::Tensor> inputs{x};  // of each layer
  for (std::size_t l = 0; l <= last; ++l) {
    at::Tensor z = rows_of(values_[l]);
    pre_activation(stack.layers[l], inputs[l], z);
    if (l == last) break;
    if (!arguments_.empty()) rows_of(arguments_[l]).copy_(z);
    activate(stack.activation, z);
    inputs.push_back(z);
  }

  at::Tensor g = rows_of(gradients_[last]);
  at::sub_out(g, rows_of(values_[last]), y);
  sum_of_squares.add_(g.square().sum(at::kDouble));
  g.mul_(2 * loss_scale);
  for (std::size_t l = last; l > 0; --l) {
    at::Tensor below = rows_of(gradients_[l - 1]);
    const Layer& layer = stack.layers[l];
    at::addmm_out(below, below, g, layer.weight, 0, layer.weight_multiplier);
    multiply_by_derivative(stack.activation, inputs[l], arguments_.empty() ? at::Tensor() : rows_of(arguments_[l - 1]),
                           below);
    visit(l, g, inputs[l]);
    g = below;
  }
  visit(0, g, x);
}

}  // namespace ansatz::nets::detail
