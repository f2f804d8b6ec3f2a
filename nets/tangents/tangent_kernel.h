// The empirical neural tangent kernel of a network: inner products of the gradients of its outputs in its parameters.
#pragma once

#include "core/base/cost.h"
#include "nets/mlp.h"

namespace ansatz::nets {

struct TangentOptions {
  enum class Outputs {
    summed,  ///< sum_c Theta_cc, b x b': what one kernel for all outputs has
    one,     ///< Theta_cc of one output, b x b'
    pairs    ///< Theta_cc' of all, (b c) x (b' c); row i c + j is of point i and output j, as in input_jacobian
  } outputs = Outputs::summed;
  Index output = 0;  ///< with `one`, from 0
  // Gradients in the parameters of these layers, counted from 1. The last layer alone, of one output, gives the
  // conjugate kernel m^2 <h, h'> of its inputs h, with its multiplier m. The kernel is the sum of those of the layers.
  Index first_layer = 1;
  Index last_layer = 0;  ///< 0: the network's last
};

/// Theta_cc'(x, x') = sum_l (m_l^2 <h_{l-1}(x), h_{l-1}(x')> + b_l^2) <s_l^c(x), s_l^c'(x')> (Jacot et al. 2018), where
/// h_{l-1} is the input of layer l, s_l^c the gradient of output c in its pre-activation, m_l its weight multiplier and
/// b_l that of its biases (0 without). Gradients are in the parameters that the optimiser steps on (`ntk`, `mup` and
/// output_scale have multipliers), so that a small SGD step moves f by Theta times the loss gradient. At the rows of x
/// (b x d) and z (b' x d). Works in tiles: the Jacobian is never formed. ConfigError on an output or a layer that the
/// network does not have, DataError if x or z has not as many columns as the network inputs.
template <class Scalar>
Matrix<Scalar> tangent_kernel(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, const MatrixView<Scalar>& z,
                              const TangentOptions& options = {});

/// The same at x and x, at half the cost, and symmetric to the bit.
template <class Scalar>
Matrix<Scalar> tangent_kernel_matrix(const Mlp<Scalar>& network, const MatrixView<Scalar>& x,
                                     const TangentOptions& options = {});

/// Flops of tangent_kernel for that many rows, and the bytes of its result and its tiles.
Cost tangent_kernel_cost(const MlpOptions& network, Index inputs, Index outputs, Index rows, Index other_rows,
                         TangentOptions::Outputs form, std::size_t scalar_bytes);

}  // namespace ansatz::nets
