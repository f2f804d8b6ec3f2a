// The NNGP and the NTK of a ReLU network with biases, whose kernels depend on |x| and |z| one by one; beside the
// recursion of arc_cosine.h, which has the cosine alone.
#pragma once

#include "rfm/kernels/kernel_spec.h"

namespace ansatz::rfm {

/// The state of one layer for pairs of x with some z, at most kCapacity. Accurate where x and z nearly coincide, as
/// ArcCosineState is.
template <class Scalar>
struct BiasedReluState {
  static constexpr Index kCapacity = ArcCosineState<Scalar>::kCapacity;
  Scalar x_std;                                                    ///< sqrt(Sigma(x,x))
  Scalar x_std_slope;                                              ///< its derivative with respect to |x|
  Scalar z_std[kCapacity];                                         ///< sqrt(Sigma(z,z))
  Scalar difference[kCapacity];                                    ///< x_std - z_std, without cancellation
  Scalar sigma[kCapacity];                                         ///< cosine: Sigma(x,z) / (x_std z_std)
  Scalar complement[kCapacity];                                    ///< (1 - |cosine|) / 2, to full relative accuracy
  Scalar theta[kCapacity];                                         ///< Theta(x,z) / (x_std z_std)
  Scalar sigma_by_product[kCapacity], sigma_by_length[kCapacity];  ///< d Sigma / ds and d Sigma / d|x|
  Scalar theta_by_product[kCapacity], theta_by_length[kCapacity];  ///< d Theta / ds and d Theta / d|x|
};

/// Sigma = Theta = s. Derivatives by s count as 0 where x or z is 0.
template <class Scalar>
void start_recursion(const DotProducts<Scalar>& in, BiasedReluState<Scalar>& state);

/// The next of `count` pairs' layers for `gain` = w^2 / 2 and `offset` = b^2 > 0; with `slopes`, the derivatives too.
template <class Scalar>
void advance_layer(BiasedReluState<Scalar>& state, Scalar gain, Scalar offset, Index count, bool slopes);

}  // namespace ansatz::rfm
