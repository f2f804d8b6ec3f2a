// From inner products to kernel values and gradient weights, entry by entry: the vectorised inner loops of rfm/.
#pragma once

#include "rfm/pairs/metric_coordinates.h"
#include "rfm/pairs/pair_tiles.h"

namespace ansatz::rfm {

/// One kernel between prepared points p (rows of X) and p' (rows of Z), both borrowed. In these coordinates
///   grad_x K(x, z) = lift( c_z (A p' + D p) )   with A and D symmetric in x and z:
// clang-format off
///   euclidean    c_z = 1      A = -phi'(r)/r   D = -A      both 0 where r = 0: the gradient at coincident points is 0
///   dot_product  c_z = |z|_M  A = dK/ds        D = dK/dn   of K(s, n), s = <x,z>_M, n = |x|_M |z|_M; p of unit length
// clang-format on
///
/// Kernels of a p-norm start from sums of powers S = sum_k |p_k - p'_k|^p (rfm/pairs/power_sums.h) where the others
/// start from products; their gradients are in rfm/gradients/p_norm_gradients.h.
///
/// Differences of rounded squared norms carry no digits for close pairs, so pairs whose squared distance is below
/// 2^10 epsilon of the squared norms are recomputed from the difference of the two points; a distance within the
/// rounding of these coordinates counts as 0.
template <class Scalar>
class PairFunction {
 public:
  static constexpr Index kChunk = 512;  ///< entries a call may have: what stays in the first-level cache

  /// NumericalError if a dot-product kernel's values on these points are beyond Scalar.
  PairFunction(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z);

  /// What the passes below start from, for the pairs of a tile: <p_i, p'_j>, or S of a p-norm.
  void coordinate_sums(const Tile& t, Matrix<Scalar>& values) const;

  /// p[0..count): products <p_i, p'_j>, j = first.., in; K(x_i, z_j) out. `self` is the row of Z that is x_i itself, or
  /// -1.
  void values(Index i, Index first, Index count, Index self, Scalar* p) const;
  /// p: products in, A out; d: D out. Not of a p-norm.
  void weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const;
  /// p: products in, squared distances out (radial kernels, of a p-norm too).
  void squared_distances(Index i, Index first, Index count, Index self, Scalar* p) const;
  /// Of a p-norm. p: S in, W = K q S^(q/p - 1) / L^q out, 0 where S = 0; work: as long as p. With it the gradient in
  /// these coordinates is -W |u_k|^(p-1) sign(u_k), u = p_i - p'_j.
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
