// The functions between the layers of a network. No torch header here: a row's functions are for the sources of nets/.
#pragma once

#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace ansatz::nets {

enum class Activation { relu, tanh, quadratic, linear, leaky_relu, gelu, silu, sigmoid };

inline constexpr double kLeakySlope = 0.01;  ///< of leaky_relu below 0, as in torch.nn.LeakyReLU

struct ActivationInfo {
  Activation activation;
  std::string name;
  std::string formula;
  /// z <- phi(z).
  void (*apply)(at::Tensor& z);
  /// phi'(z), a new tensor like z.
  at::Tensor (*derivative)(const at::Tensor& z);
  /// Whether multiply_by_derivative takes z itself: phi'(z) does not follow from phi(z).
  bool from_argument;
  /// g <- g o phi'(z), in place, from phi(z), or from z if from_argument.
  void (*multiply_by_derivative)(at::Tensor& g, const at::Tensor& known);
};

const std::vector<ActivationInfo>& activation_table();
const ActivationInfo& info_of(Activation activation);

}  // namespace ansatz::nets
