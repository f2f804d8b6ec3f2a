#include <torch/optim.h>
#include <torch/types.h>

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
  return std::make_unique<torch::optim::Adam>(
      parameters,
      torch::optim::AdamOptions(o.learning_rate).betas({o.beta1, o.beta2}).eps(o.epsilon).weight_decay(o.weight_decay));
}

}  // namespace

ReferenceNetwork train_with_autograd(ReferenceNetwork network, const nets::OptimizerOptions& options,
                                     const Matrix<double>& inputs, const Matrix<double>& targets,
                                     const std::vector<std::vector<Index>>& batches) {
  const std::vector<torch::Tensor> weights = parameters_of(network.weights), biases = parameters_of(network.biases);
  std::vector<torch::Tensor> all = weights;
  all.insert(all.end(), biases.begin(), biases.end());
  const auto optimizer = make_optimizer(options, all);
  const torch::Tensor x = tensor_of(inputs), y = tensor_of(targets);
  for (const auto& batch : batches) {
    const torch::Tensor rows = torch::tensor(std::vector<int64_t>(batch.begin(), batch.end()), torch::kLong);
    torch::Tensor h = x.index_select(0, rows);
    for (std::size_t l = 0; l < weights.size(); ++l) {
      h = network.multipliers[l] * torch::mm(h, weights[l].t());
      if (!biases.empty()) h = h + network.bias_multipliers[l] * biases[l];
      if (l + 1 < weights.size()) h = activate(network.activation, h);
    }
    optimizer->zero_grad();
    (h - y.index_select(0, rows)).square().mean().backward();
    optimizer->step();
  }
  for (std::size_t l = 0; l < weights.size(); ++l) network.weights[l] = matrix_of(weights[l]);
  for (std::size_t l = 0; l < biases.size(); ++l) network.biases[l] = matrix_of(biases[l]);
  return network;
}

}  // namespace ansatz::tests
