// Sums of powers of coordinate differences: the p-norm distances of a tile of pairs.
#pragma once

#include <cmath>
#include <limits>

#include "rfm/pairs/metric_coordinates.h"
#include "rfm/pairs/pair_tiles.h"

namespace ansatz::rfm {

/// values(i, j) = sum_k |u_k|^p, u = p_i - p'_j, for the pairs of a tile; p = norm in [1, 2]. A difference within
/// coordinate_noise() counts as 0. Takes about 2 q operations a pair for p = 1, 3/2 and 2, and a logarithm and an
/// exponential a coordinate for any other p.
template <class Scalar>
void power_sums(double norm, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z, const Tile& t,
                Matrix<Scalar>& values);

/// How much of a coordinate of p_i - p'_j may be rounding, given |p_i|^2 + |p'_j|^2; 0 if coordinates are not rounded.
template <class Scalar>
Scalar coordinate_noise(const PreparedPoints<Scalar>& x, Scalar squared_norms) {
  return x.rounded ? 4 * std::numeric_limits<Scalar>::epsilon() * std::sqrt(squared_norms) : Scalar(0);
}

/// The time that one pair's distance in q = width coordinates takes, in flops of a matrix product. Kernels without a
/// p-norm: 2 q.
double distance_flops(const KernelSpec& spec, Index width);
/// The same for what the gradient of a pair takes entry by entry; 0 for kernels without a p-norm.
double elementwise_flops(const KernelSpec& spec, Index width);

}  // namespace ansatz::rfm
