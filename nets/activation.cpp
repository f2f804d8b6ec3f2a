#include "nets/activation.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace ansatz::nets {
namespace {

using at::Tensor;

Tensor as_ones(const Tensor& z) { return at::ones_like(z); }

// The derivative at 0 is 0, as in PyTorch.
const ActivationInfo kRelu = {Activation::relu,
                              "relu",
                              "max(z, 0)",
                              [](Tensor& z) { z.relu_(); },
                              [](const Tensor& z) { return z.gt(0).to(z.scalar_type()); },
                              false,
                              [](Tensor& g, const Tensor& value) { at::threshold_backward_out(g, g, value, 0); }};

// The value has the sign of its argument. The derivative at 0 is the slope, as in PyTorch.
const ActivationInfo kLeakyRelu = {
    Activation::leaky_relu,
    "leaky_relu",
    "max(z, 0.01 z)",
    [](Tensor& z) { at::leaky_relu_(z, kLeakySlope); },
    [](const Tensor& z) { return at::leaky_relu_backward(as_ones(z), z, kLeakySlope, false); },
    false,
    [](Tensor& g, const Tensor& value) { at::leaky_relu_backward_out(g, g, value, kLeakySlope, true); }};

const ActivationInfo kGelu = {Activation::gelu,
                              "gelu",
                              "z (1 + erf(z / sqrt 2)) / 2",
                              [](Tensor& z) { at::gelu_(z); },
                              [](const Tensor& z) { return at::gelu_backward(as_ones(z), z); },
                              true,
                              [](Tensor& g, const Tensor& z) { at::gelu_backward_out(g, g, z); }};

const ActivationInfo kSilu = {Activation::silu,
                              "silu",
                              "z / (1 + exp(-z))",
                              [](Tensor& z) { at::silu_(z); },
                              [](const Tensor& z) { return at::silu_backward(as_ones(z), z); },
                              true,
                              [](Tensor& g, const Tensor& z) { at::silu_backward_out(g, g, z); }};

const ActivationInfo kTanh = {Activation::tanh,
                              "tanh",
                              "tanh z",
                              [](Tensor& z) { z.tanh_(); },
                              [](const Tensor& z) { return z.tanh().square_().neg_().add_(1); },
                              false,
                              [](Tensor& g, const Tensor& value) { at::tanh_backward_out(g, g, value); }};

const ActivationInfo kSigmoid = {Activation::sigmoid,
                                 "sigmoid",
                                 "1 / (1 + exp(-z))",
                                 [](Tensor& z) { z.sigmoid_(); },
                                 [](const Tensor& z) { return at::sigmoid_backward(as_ones(z), z.sigmoid()); },
                                 false,
                                 [](Tensor& g, const Tensor& value) { at::sigmoid_backward_out(g, g, value); }};

const ActivationInfo kQuadratic = {Activation::quadratic,
                                   "quadratic",
                                   "z^2",
                                   [](Tensor& z) { z.square_(); },
                                   [](const Tensor& z) { return z.mul(2); },
                                   true,
                                   [](Tensor& g, const Tensor& z) { g.mul_(z).mul_(2); }};

const ActivationInfo kLinear = {Activation::linear,           "linear", "z", [](Tensor&) {}, as_ones, false,
                                [](Tensor&, const Tensor&) {}};

}  // namespace

const std::vector<ActivationInfo>& activation_table() {
  static const std::vector<ActivationInfo> table = {kRelu, kLeakyRelu, kGelu,      kSilu,
                                                    kTanh, kSigmoid,   kQuadratic, kLinear};
  return table;
}

const ActivationInfo& info_of(Activation activation) {
  const auto& table = activation_table();
  return *std::find_if(table.begin(), table.end(),
                       [&](const ActivationInfo& row) { return row.activation == activation; });
}

}  // namespace ansatz::nets
