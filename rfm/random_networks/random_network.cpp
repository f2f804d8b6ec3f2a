#include "rfm/random_networks/random_network.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace ansatz::rfm {
namespace {

/// The forward pass, a row a point; entry l - 1 belongs to layer l.
struct RandomPass {
  std::vector<Matrix<double>> weights;
  std::vector<Matrix<double>> hidden, slopes;  // w f(z) / sqrt(k) and w f'(z) / sqrt(k)
};

double apply(Activation activation, double z) {
  if (activation == Activation::relu) return z > 0 ? z : 0;
  return activation == Activation::erf ? std::erf(z) : z;
}

double slope(Activation activation, double z) {
  constexpr double kTwoOverRootPi = 1.12837916709551257390;
  if (activation == Activation::relu) return z > 0 ? 1 : 0;
  return activation == Activation::erf ? kTwoOverRootPi * std::exp(-z * z) : 1;
}

RandomPass random_pass(const KernelSpec& spec, const MatrixView<double>& x, Index width, const RandomStream& stream) {
  const double scale = spec.weight_std / std::sqrt(static_cast<double>(width));
  RandomPass pass;
  for (Index l = 1; l <= spec.depth; ++l) {
    const bool first = l == 1;
    pass.weights.push_back(stream.named(fmt::format("W{}", l)).normal_matrix<double>(width, first ? x.cols() : width));
    Matrix<double> z(x.rows(), width);
    if (first)
      z.noalias() = x * pass.weights.back().transpose();
    else
      z.noalias() = pass.hidden.back() * pass.weights.back().transpose();
    if (!first) {
      const Matrix<double> biases = stream.named(fmt::format("b{}", l)).normal_matrix<double>(1, width);
      z.rowwise() += spec.bias_std * biases.row(0);
    }
    pass.hidden.push_back(z.unaryExpr([&](double v) { return scale * apply(spec.activation, v); }));
    pass.slopes.push_back(z.unaryExpr([&](double v) { return scale * slope(spec.activation, v); }));
  }
  return pass;
}

}  // namespace

/// With G_l the gradients of f with respect to z_l, the tangent kernel is that of the last layer, and of layer l
/// (G_l G_l^T) o (the covariance of its inputs, biases included).
NetworkKernels random_network_kernels(const KernelSpec& spec, const MatrixView<double>& x, Index width,
                                      const RandomStream& stream) {
  const RandomPass pass = random_pass(spec, x, width, stream);
  const double offset = spec.bias_std * spec.bias_std;
  const auto covariance = [&](std::size_t layer) {
    const Matrix<double> products = pass.hidden[layer] * pass.hidden[layer].transpose();
    return Matrix<double>(products.array() + offset);
  };
  const std::size_t depth = pass.hidden.size();
  NetworkKernels kernels;
  kernels.nngp = kernels.ntk = covariance(depth - 1);
  const Matrix<double> last = stream.named("a").normal_matrix<double>(1, width);
  Matrix<double> gradients = last.replicate(x.rows(), 1).cwiseProduct(pass.slopes.back());
  for (std::size_t l = depth - 1; l > 0; --l) {
    kernels.ntk += (gradients * gradients.transpose()).cwiseProduct(covariance(l - 1));
    gradients = (gradients * pass.weights[l]).cwiseProduct(pass.slopes[l - 1]).eval();
  }
  kernels.ntk += (gradients * gradients.transpose()).cwiseProduct(x * x.transpose());
  return kernels;
}

}  // namespace ansatz::rfm
