#include <torch/autograd.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/loss.h>
#include <torch/optim.h>
#include <torch/types.h>

#include <cmath>

// After torch, whose headers define macros of their own.
#include "tests/nets/detail/torch_reference.h"

namespace ansatz::tests {
namespace {

torch::Tensor tensor_of(const Matrix<double>& x) {
  return torch::from_blob(const_cast<double*>(x.data()), {x.rows(), x.cols()}, torch::kDouble).clone();
}

Matrix<double> matrix_of(const torch::Tensor& t) {
  return Eigen::Map<const Matrix<double>>(t.data_ptr<double>(), t.size(0), t.size(1));
}

std::vector<torch::Tensor> parameters_of(const std::vector<Matrix<double>>& matrices) {
  std::vector<torch::Tensor> parameters;
  for (const auto& m : matrices) parameters.push_back(tensor_of(m).requires_grad_());
  return parameters;
}

torch::Tensor activate(nets::Activation activation, const torch::Tensor& z) {
  switch (activation) {
    case nets::Activation::relu:
      return torch::relu(z);
    case nets::Activation::tanh:
      return torch::tanh(z);
    case nets::Activation::quadratic:
      return z * z;
    case nets::Activation::leaky_relu:
      return torch::nn::LeakyReLU()(z);
    case nets::Activation::gelu:
      return torch::nn::GELU()(z);
    case nets::Activation::silu:
      return torch::nn::SiLU()(z);
    case nets::Activation::sigmoid:
      return torch::nn::Sigmoid()(z);
    case nets::Activation::linear:
      break;
  }
  return z;
}

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const nets::OptimizerOptions& o,
                                                        const std::vector<torch::Tensor>& parameters) {
  if (o.kind == nets::OptimizerOptions::Kind::sgd)
    return std::make_unique<torch::optim::SGD>(
        parameters, torch::optim::SGDOptions(o.learning_rate).momentum(o.momentum).weight_decay(o.weight_decay));
  if (o.kind == nets::OptimizerOptions::Kind::adamw)
    return std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(o.learning_rate)
                                                                 .betas({o.beta1, o.beta2})
                                                                 .eps(o.epsilon)
                                                                 .weight_decay(o.weight_decay));
  return std::make_unique<torch::optim::Adam>(
      parameters,
      torch::optim::AdamOptions(o.learning_rate).betas({o.beta1, o.beta2}).eps(o.epsilon).weight_decay(o.weight_decay));
}

torch::Tensor forward(const ReferenceNetwork& network, const std::vector<torch::Tensor>& weights,
                      const std::vector<torch::Tensor>& biases, torch::Tensor h) {
  for (std::size_t l = 0; l < weights.size(); ++l) {
    h = network.multipliers[l] * torch::mm(h, weights[l].t());
    if (!biases.empty()) h = h + network.bias_multipliers[l] * biases[l];
    if (l + 1 < weights.size()) h = activate(network.activation, h);
  }
  return h;
}

}  // namespace

ReferenceNetwork reference_of(const nets::Mlp<double>& network) {
  const auto initialization = network.options().initialization;
  const bool ntk = initialization == nets::Initialization::ntk, mup = initialization == nets::Initialization::mup;
  ReferenceNetwork reference;
  reference.activation = network.options().activation;
  for (Index l = 1; l <= network.layers(); ++l) {
    const Matrix<double> w = network.weight(l);
    const bool last = l == network.layers();
    const double scale = last ? network.options().output_scale : 1;
    const double inputs = l == 1 ? 1 : static_cast<double>(w.cols()),
                 outputs = last ? 1 : static_cast<double>(w.rows());
    double multiplier = ntk && l > 1 ? std::sqrt(2 / inputs) : 1, bias_multiplier = ntk ? 0.1 : 1;
    if (mup) multiplier = std::sqrt(outputs / inputs);
    if (mup) bias_multiplier = 0.1 * std::sqrt(outputs);
    reference.multipliers.push_back(scale * multiplier);
    reference.bias_multipliers.push_back(scale * bias_multiplier);
    reference.weights.push_back(w / reference.multipliers.back());
    if (network.options().bias)
      reference.biases.push_back(network.bias(l).transpose() / reference.bias_multipliers.back());
  }
  return reference;
}

Matrix<double> jacobian_with_autograd(const ReferenceNetwork& network, const Matrix<double>& inputs) {
  const torch::Tensor x = tensor_of(inputs).requires_grad_();
  const torch::Tensor f = forward(network, parameters_of(network.weights), parameters_of(network.biases), x);
  const Index c = f.size(1);
  Matrix<double> jacobian(inputs.rows() * c, inputs.cols());
  for (Index j = 0; j < c; ++j) {  // row i of x moves row i of f only, so that sums over rows keep the rows apart
    const torch::Tensor gradient =
        torch::autograd::grad({f.select(1, j).sum()}, {x}, /*grad_outputs=*/{}, /*retain_graph=*/true).front();
    const Matrix<double> rows = matrix_of(gradient);
    for (Index i = 0; i < inputs.rows(); ++i) jacobian.row(i * c + j) = rows.row(i);
  }
  return jacobian;
}

std::vector<Matrix<double>> parameter_jacobians_with_autograd(const ReferenceNetwork& network,
                                                              const Matrix<double>& inputs) {
  const std::vector<torch::Tensor> weights = parameters_of(network.weights), biases = parameters_of(network.biases);
  const torch::Tensor f = forward(network, weights, biases, tensor_of(inputs)).reshape({-1});
  std::vector<Matrix<double>> jacobians;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    std::vector<torch::Tensor> of_layer{weights[l]};
    if (!biases.empty()) of_layer.push_back(biases[l]);
    Matrix<double> jacobian(f.size(0), weights[l].numel() + (biases.empty() ? 0 : biases[l].numel()));
    for (Index row = 0; row < f.size(0); ++row) {
      Index column = 0;
      for (const torch::Tensor& part : torch::autograd::grad({f[row]}, of_layer, {}, /*retain_graph=*/true)) {
        jacobian.row(row).segment(column, part.numel()) = matrix_of(part.reshape({1, -1}).contiguous());
        column += part.numel();
      }
    }
    jacobians.push_back(jacobian);
  }
  return jacobians;
}

ReferenceNetwork train_with_autograd(ReferenceNetwork network, Loss loss, const nets::OptimizerOptions& options,
                                     const Matrix<double>& inputs, const Matrix<double>& targets,
                                     const std::vector<std::vector<Index>>& batches) {
  const std::vector<torch::Tensor> weights = parameters_of(network.weights), biases = parameters_of(network.biases);
  std::vector<torch::Tensor> all = weights;
  all.insert(all.end(), biases.begin(), biases.end());
  const auto optimizer = make_optimizer(options, all);
  const torch::Tensor x = tensor_of(inputs), y = tensor_of(targets);
  for (const auto& batch : batches) {
    const torch::Tensor rows = torch::tensor(std::vector<int64_t>(batch.begin(), batch.end()), torch::kLong);
    optimizer->zero_grad();
    const torch::Tensor f = forward(network, weights, biases, x.index_select(0, rows)), t = y.index_select(0, rows);
    const torch::Tensor mean =
        loss == Loss::mse ? (f - t).square().mean() : torch::nn::CrossEntropyLoss()(f, t.argmax(1));
    mean.backward();
    optimizer->step();
  }
  for (std::size_t l = 0; l < weights.size(); ++l) network.weights[l] = matrix_of(weights[l]);
  for (std::size_t l = 0; l < biases.size(); ++l) network.biases[l] = matrix_of(biases[l]);
  return network;
}

}  // namespace ansatz::tests
