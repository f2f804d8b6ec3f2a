// From inner products to kernel values and gradient weights, entry by entry: the vectorised inner loops of rfm/.
#pragma once

#include "rfm/metric_coordinates.h"

namespace ansatz::rfm {

/// One kernel between prepared points p (rows of X) and p' (rows of Z), both borrowed. In these coordinates
///   grad_x K(x, z) = lift( c_z (A p' + D p) ),   c_z = 1 (radial) or |z|_M (dot-product), and A, D symmetric in x and
///   z: radial       A = -phi'(r)/r, D = -A, both 0 where r = 0 (the gradient at coincident points is 0); dot-product
///   A = k'(u), D = k(u) - u k'(u). At u = +-1 the NTK's gradient depends on the direction of approach (a
///                kink, as the Laplace kernel's at 0): its singular part is dropped, which leaves the mean over
///                directions. Where |x|_M or |z|_M is 0 the kernel, A and D are 0.
///
/// Differences of rounded squared norms carry no digits for close pairs, so pairs whose squared distance is below
/// 2^10 epsilon of the squared norms are recomputed from the difference of the two points; a distance within the
/// rounding of these coordinates counts as 0.
template <class Scalar>
class PairFunction {
 public:
  static constexpr Index kChunk = 512;  ///< entries a call may have: what stays in the first-level cache

  PairFunction(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z);

  /// p[0..count): products <p_i, p'_j>, j = first.., in; K(x_i, z_j) out. `self` is the row of Z that is x_i itself, or
  /// -1.
  void values(Index i, Index first, Index count, Index self, Scalar* p) const;
  /// p: products in, A out; d: D out.
  void weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const;
  /// p: products in, squared distances out (radial kernels; whatever the kernel's shape).
  void squared_distances(Index i, Index first, Index count, Index self, Scalar* p) const;

 private:
  struct Cosines;
  Scalar close_difference(Index i, Index j, Scalar sign) const;
  void cosines(Index i, Index first, Index count, Index self, const Scalar* p, Cosines& c) const;
  void dot_product_values(Index i, Index first, Index count, Index self, Scalar* p) const;
  void dot_product_weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const;

  KernelSpec spec_;
  Scalar bandwidth_;
  bool radial_;
  const PreparedPoints<Scalar>& x_;
  const PreparedPoints<Scalar>& z_;
};

}  // namespace ansatz::rfm
