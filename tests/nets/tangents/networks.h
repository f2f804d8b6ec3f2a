// Networks of every kind for the tests of what is linear in their parameters.
#pragma once

#include "nets/mlp.h"
#include "tests/support/catch.h"

namespace ansatz::testing {

inline Matrix<double> normal_rows(Index rows, Index cols, std::string_view name = "rows") {
  return RandomStream(31).named(name).normal_matrix<double>(rows, cols);
}

inline nets::MlpOptions kind(std::vector<Index> hidden, nets::Activation activation = nets::Activation::relu,
                             bool bias = false,
                             nets::Initialization initialization = nets::Initialization::pytorch_default) {
  nets::MlpOptions options;
  options.hidden_layers = std::move(hidden);
  options.activation = activation;
  options.bias = bias;
  options.initialization = initialization;
  return options;
}

inline nets::Mlp<double> made(Index inputs, Index outputs, const nets::MlpOptions& options) {
  return nets::Mlp<double>(inputs, outputs, options, RandomStream(32));
}

/// check(network of 4 inputs and 3 outputs) for all activations, depths, biases and parameterisations.
template <class Check>
void for_each_network(Check&& check) {
  using nets::Initialization;
  for (const std::vector<Index>& hidden : std::vector<std::vector<Index>>{{}, {7}, {6, 5}})
    for (const nets::ActivationInfo& row : nets::activation_table())
      for (const bool bias : {false, true})
        for (const Initialization init : {Initialization::pytorch_default, Initialization::ntk, Initialization::mup}) {
          CAPTURE(hidden.size(), row.name, bias, static_cast<int>(init));
          nets::MlpOptions options = kind(hidden, row.activation, bias, init);
          if (bias) options.output_scale = 1.5;
          check(made(4, 3, options));
        }
}

}  // namespace ansatz::testing
