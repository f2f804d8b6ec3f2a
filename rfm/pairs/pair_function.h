// From inner products to kernel values and gradient weights, entry by entry: the vectorised inner loops of rfm/.
#pragma once

#include "rfm/pairs/metric_coordinates.h"
#include "rfm/pairs/pair_tiles.h"

namespace ansatz::rfm {

/// One kernel between prepared points p (rows of X) and p' (rows of Z), both borrowed. In these coordinates
///   grad_x K(x, z) = lift( c_z (A p' + D p) )   with A and (but for one case) D symmetric in x and z:
/// - euclidean: c_z = 1, A = -phi'(r)/r, D = -A. Both are 0 where r = 0: the gradient at coincident points is 0.
/// - dot_product: c_z = |z|_M, A = dK/ds, D = dK/dn for K(s, n) with s = <x,z>_M and n = |x|_M |z|_M. p is of unit
///   length. Where K depends on the norms one by one (Kernel::by_norm_product), c_z = gradient_length(|z|_M) and
///   D = dK/d|x|_M / c_z, which is not symmetric.
/// - p_norm: see rfm/gradients/p_norm_gradients.h. These kernels start from sums of powers S = sum_k |p_k - p'_k|^p
///   (rfm/pairs/power_sums.h) where the others start from inner products.
///
/// For a close pair, the difference of rounded squared norms carries no digits. A pair whose squared distance is below
/// 2^10 epsilon of the squared norms is therefore recomputed from the difference of its two points. A distance within
/// the rounding of these coordinates counts as 0.
template <class Scalar>
class PairFunction {
 public:
  static constexpr Index kChunk = 512;  ///< entries a call may have: what stays in the first-level cache

  /// Throws NumericalError if a dot-product kernel's values on these points overflow Scalar.
  PairFunction(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z);

  /// What the functions below start from, for the pairs of a tile: <p_i, p'_j>, or S for kernels of a p-norm.
  void coordinate_sums(const Tile& t, Matrix<Scalar>& values) const;

  // Each of these overwrites p[0..count), which holds the coordinate sums of x_i with z_j for j = first, first + 1, ...
  // `self` is the row of Z that is x_i itself, or -1.

  /// p becomes K(x_i, z_j).
  void values(Index i, Index first, Index count, Index self, Scalar* p) const;
  /// p becomes A, and d is filled with D. Not for kernels of a p-norm.
  void weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const;
  /// p becomes the squared distances. For radial kernels, those of a p-norm included.
  void squared_distances(Index i, Index first, Index count, Index self, Scalar* p) const;
  /// p becomes W = K q S^(q/p - 1) / L^q, 0 where S = 0. For kernels of a p-norm only; `work` has room for `count`
  /// numbers. Coordinate k of the gradient is then -W |u_k|^(p-1) sign(u_k), u = p_i - p'_j.
  void p_norm_weights(Index count, Scalar* p, Scalar* work) const;

 private:
  Scalar close_difference(Index i, Index j, Scalar sign) const;
  void dot_products(Index i, Index first, Index count, Index self, const Scalar* p, DotProducts<Scalar>& in) const;

  KernelSpec spec_;
  KernelShape shape_;
  Scalar bandwidth_;
  const PreparedPoints<Scalar>& x_;
  const PreparedPoints<Scalar>& z_;
};

}  // namespace ansatz::rfm
