// Sums of powers of coordinate differences: the p-norm distances of a tile of pairs.
#pragma once

#include <cmath>
#include <limits>

#include "rfm/pairs/metric_coordinates.h"
#include "rfm/pairs/pair_tiles.h"

namespace ansatz::rfm {

/// values(i, j) = sum_k |u_k|^p, u = p_i - p'_j, for the pairs of a tile; p = norm in [1, 2]. A difference within
/// coordinate_noise() counts as 0. About 2 q operations a pair for p = 1, 3/2 and 2, a logarithm and an exponential a
/// coordinate for others.
template <class Scalar>
void power_sums(double norm, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z, const Tile& t,
                Matrix<Scalar>& values);

/// What one coordinate of p_i - p'_j may owe to rounding, where the coordinates were rounded: from the squared norms.
template <class Scalar>
Scalar coordinate_noise(const PreparedPoints<Scalar>& x, Scalar squared_norms) {
  return x.rounded ? 4 * std::numeric_limits<Scalar>::epsilon() * std::sqrt(squared_norms) : Scalar(0);
}

/// Time of one pair's distance in q coordinates, in flops of a matrix product (kernels without a p-norm: 2 q).
double distance_flops(const KernelSpec& spec, Index width);
/// The same of all that its gradient does entry by entry; 0 for kernels without a p-norm.
double elementwise_flops(const KernelSpec& spec, Index width);

}  // namespace ansatz::rfm
