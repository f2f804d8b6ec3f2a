// Coordinates in which a feature matrix M is cheap: where distances, inner products and gradients are computed.
#pragma once

#include "core/feature_matrix.h"
#include "rfm/kernels.h"

namespace ansatz::rfm {

/// Points in the coordinates of a MetricCoordinates: <x,z>_M = p(x)^T C p(z).
///   radial kernels       p has the common origin taken off (distances do not change, float32 accuracy does);
///   dot-product kernels  p has unit M-norm (0 for a point of M-norm 0).
template <class Scalar>
struct PreparedPoints {
  Matrix<Scalar> points;  ///< P, n x q
  Matrix<Scalar> mapped;  ///< P C, n x q; empty where C = I
  Vector<Scalar> norms;   ///< n: radial |x - origin|_M^2; dot-product |x|_M

  Index size() const { return points.rows(); }
  const Matrix<Scalar>& right() const { return mapped.size() > 0 ? mapped : points; }
  PreparedPoints rows(const std::vector<Index>& indices) const;
};

/// Writes M = F^T C F and works with p = F (x - origin) of length q:
///   diagonal  F = diag(sqrt(m)), C = I       (q = d)
///   sandwich  its own F and C where r < d    (q = r: no d x d is ever formed)
///   dense     F = I, C = M                   (q = d; also sandwiches with r >= d)
/// A gradient sum_j a_j p_j in these coordinates is lifted to input space by g -> F^T C g.
template <class Scalar>
class MetricCoordinates {
 public:
  /// `x` (n x d) gives the origin: its mean for radial kernels, 0 for dot-product kernels.
  MetricCoordinates(const Kernel& kernel, FeatureMatrix<Scalar> metric, const MatrixView<Scalar>& x);

  Index dimension() const { return metric_.dimension(); }  ///< d
  Index latent_dimension() const { return latent_; }       ///< q

  /// x: b x d. Throws DataError on another width, NumericalError if a value is not finite (or overflows when squared).
  PreparedPoints<Scalar> prepare(const MatrixView<Scalar>& x) const;
  /// g (b x q) -> g C F (b x d), rows being gradients.
  Matrix<Scalar> lift(const Matrix<Scalar>& g) const;
  /// s (q x q, symmetric) -> F^T C s C F: dense, or a sandwich that shares M's F.
  FeatureMatrix<Scalar> lift_outer_product(const Matrix<Scalar>& s) const;

 private:
  bool projected() const { return latent_ != metric_.dimension(); }

  bool radial_;
  FeatureMatrix<Scalar> metric_;
  Index latent_;
  Vector<Scalar> origin_;  ///< d; empty: 0
  Vector<Scalar> scale_;   ///< sqrt(m) of a diagonal M; empty otherwise and where M = I
};

}  // namespace ansatz::rfm
