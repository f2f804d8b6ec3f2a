// Kernels of networks at random initialization, which nngp and ntk are the limits of.
#pragma once

#include "core/base/random.h"
#include "rfm/kernels/kernel_spec.h"

namespace ansatz::rfm {

/// Kernel matrices of one network over n points, n x n.
struct NetworkKernels {
  Matrix<double> nngp;  ///< the covariance of outputs over the last layer's parameters
  Matrix<double> ntk;   ///< the product of the gradients of one output with respect to all parameters
};

/// The network f = w a . h_L / sqrt(k) + b c, h_l = f(z_l), z_1 = W_1 x, z_(l+1) = w W_(l+1) h_l / sqrt(k) + b c_(l+1),
/// all parameters N(0, 1), with `depth` hidden layers of k = `width` units; activation, w and b as in `spec`. Its
/// kernels approach those of the families nngp and ntk as 1 / sqrt(width). x: n x d. Some `depth` times width^2
/// numbers.
NetworkKernels random_network_kernels(const KernelSpec& spec, const MatrixView<double>& x, Index width,
                                      const RandomStream& stream);

}  // namespace ansatz::rfm
