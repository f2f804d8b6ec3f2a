#include "nets/initial_layers.h"

#include <cmath>
#include <string>

#include "nets/tensors.h"

namespace ansatz::nets::detail {
namespace {

constexpr double kBiasMultiplier = 0.1;  // of Jacot, Gabriel and Hongler (2018); in the NTK parameterisation and in muP

/// A parameter from N(0, std^2), which enters the network times its multiplier.
struct Scaling {
  double weight_std = 1, weight_multiplier = 1;
  double bias_std = 1, bias_multiplier = kBiasMultiplier;
};

Scaling ntk_scaling(Index number, Index inputs) {
  Scaling s;
  if (number > 1) s.weight_multiplier = std::sqrt(2.0 / static_cast<double>(inputs));
  return s;
}

// With the learning rate eta, the effective parameters take steps of eta times the squared multiplier: for W of
// eta * outputs / inputs, where what does not grow with the width (the inputs and outputs of the network) counts as 1.
Scaling mup_scaling(Index number, Index outputs, Index inputs, bool last) {
  Scaling s;
  const double fan_in = number == 1 ? 1 : static_cast<double>(inputs);
  const double fan_out = last ? 1 : static_cast<double>(outputs);
  s.weight_multiplier = std::sqrt(fan_out / fan_in);
  s.bias_multiplier *= std::sqrt(fan_out);
  s.bias_std = 1 / std::sqrt(fan_out);
  if (number == 1 || last)
    s.weight_std = 1 / std::sqrt(fan_in * fan_out);  // W ~ N(0, 1 / fan_in^2), of the last layer; N(0, 1), of the first
  else
    s.weight_std = std::sqrt(2 / fan_out);  // W ~ N(0, 2 / fan_in)
  return s;
}

template <class Scalar>
Matrix<Scalar> normal(Index rows, Index cols, double std, RandomStream stream) {
  Matrix<Scalar> drawn = stream.normal_matrix<Scalar>(rows, cols);
  if (std != 1) drawn *= static_cast<Scalar>(std);
  return drawn;
}

}  // namespace

template <class Scalar>
Layer initial_layer(Index number, Index outputs, Index inputs, const MlpOptions& options, const RandomStream& stream) {
  const std::string name = "layer" + std::to_string(number);
  const bool uniform = options.initialization == Initialization::pytorch_default;
  const bool last = number > static_cast<Index>(options.hidden_layers.size());
  Scaling scaling;
  if (options.initialization == Initialization::ntk) scaling = ntk_scaling(number, inputs);
  if (options.initialization == Initialization::mup) scaling = mup_scaling(number, outputs, inputs, last);
  if (uniform) scaling.bias_multiplier = 1;
  const auto draw = [&](Index rows, Index cols, double std, const char* what) {
    RandomStream own = stream.named(name + what);
    const double bound = 1 / std::sqrt(static_cast<double>(inputs));
    return uniform ? own.uniform_matrix<Scalar>(rows, cols, -bound, bound) : normal<Scalar>(rows, cols, std, own);
  };
  Layer layer;
  layer.weight_multiplier = scaling.weight_multiplier;
  layer.bias_multiplier = scaling.bias_multiplier;
  layer.weight =
      to_tensor<Scalar>(number == 1 && options.first_layer_std
                            ? normal<Scalar>(outputs, inputs, *options.first_layer_std / scaling.weight_multiplier,
                                             stream.named(name + ".weight"))
                            : draw(outputs, inputs, scaling.weight_std, ".weight"));
  if (options.bias) layer.bias = to_tensor<Scalar>(draw(1, outputs, scaling.bias_std, ".bias")).view({outputs});
  return layer;
}

template Layer initial_layer<float>(Index, Index, Index, const MlpOptions&, const RandomStream&);
template Layer initial_layer<double>(Index, Index, Index, const MlpOptions&, const RandomStream&);

}  // namespace ansatz::nets::detail
