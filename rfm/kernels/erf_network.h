// The NNGP and the NTK of a network with the activation erf.
#pragma once

#include "rfm/kernels/kernel_spec.h"

namespace ansatz::rfm {

/// The state of one layer for pairs of x with some z, at most kCapacity. In double whatever the precision of inputs:
/// these kernels are smooth, so that rounding of 1e-16 at coincident points does no harm.
struct ErfNetworkState {
  static constexpr Index kCapacity = DotProducts<double>::kCapacity;
  double x_variance;             ///< Sigma(x,x)
  double x_variance_slope;       ///< its derivative with respect to |x|
  double z_variance[kCapacity];  ///< Sigma(z,z)
  double sigma[kCapacity];       ///< Sigma(x,z)
  double
      determinant[kCapacity];  ///< 4 (Sigma(x,x) Sigma(z,z) - Sigma(x,z)^2) / ((1 + 2 Sigma(x,x)) (1 + 2 Sigma(z,z)))
  double theta[kCapacity];     ///< Theta(x,z)
  double sigma_by_product[kCapacity], sigma_by_length[kCapacity];  ///< d Sigma / ds and d Sigma / d|x|
  double theta_by_product[kCapacity], theta_by_length[kCapacity];  ///< d Theta / ds and d Theta / d|x|
};

/// Sigma = Theta = s.
template <class Scalar>
void start_recursion(const DotProducts<Scalar>& in, ErfNetworkState& state);

/// The next of `count` pairs' layers for `gain` = w^2 and `offset` = b^2, derivatives included.
void advance_layer(ErfNetworkState& state, double gain, double offset, Index count);

}  // namespace ansatz::rfm
