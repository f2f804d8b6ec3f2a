// Coordinates in which distances under a feature matrix M are plain Euclidean ones.
#pragma once

#include <memory>
#include <vector>

#include "core/features/feature_matrix.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/sample_space.h"

namespace ansatz::rfm {

/// Points in the coordinates of a MetricCoordinates: <x,z>_M = p(x)^T p(z).
///   radial kernels       p has the common origin taken off (distances do not change, float32 accuracy does);
///   dot-product kernels  p has unit length (0 for a point of M-norm 0).
template <class Scalar>
struct PreparedPoints {
  Matrix<Scalar> points;  ///< n x q
  Vector<Scalar> norms;   ///< n: radial |x - origin|_M^2; dot-product |x|_M
  bool rounded = false;   ///< the coordinates carry rounding of their own: distances within it count as 0
  std::shared_ptr<const Matrix<Scalar>> products = nullptr;  ///< with the centres (n x centres), where they are known
  double unit = 1;  ///< points = coordinates / unit: a power of two where squares would leave Scalar's range

  Index size() const { return points.rows(); }
  PreparedPoints rows(const std::vector<Index>& indices) const;
};

/// Writes M = F^T F and works with p = F (x - origin) of length q. A close pair's distance is then as good as its
/// coordinates, however small beside the norms; (x - z)^T M (x - z) is not if M is nearly singular. A sum of gradients
/// sum_j a_j p_j in these coordinates is lifted to input space by g -> F^T g.
///   identity, diagonal  F = diag(sqrt(m)), q = d
///   dense               F by Cholesky, pivoted where M is singular to rounding: q = the numerical rank
///   sandwich F_0, C     r < d: F = R F_0 with C = R^T R, no d x d is ever formed; otherwise as dense
/// For kernels of a p-norm F is the symmetric M^1/2 (q = d) instead: by eigenpairs if M is dense or a sandwich.
template <class Scalar>
class MetricCoordinates {
 public:
  /// `x` (n x d) gives the origin, for radial kernels common_origin(x), for dot-product kernels 0, and the unit. Throws
  /// DataError if d differs, NumericalError if M has no positive pivot though it is not 0, or is not finite, or if most
  /// rows are so short that Scalar holds no products of them (where no unit helps: dot-product kernels, sample space).
  /// MemoryError for a p-norm if M is a sandwich and d > kDenseLimit.
  /// `sample_space` (of x), if given, spares products with x where M is I or a sandwich over x; a sandwich over x makes
  /// its own otherwise.
  MetricCoordinates(const Kernel& kernel, FeatureMatrix<Scalar> metric, const MatrixView<Scalar>& x,
                    std::shared_ptr<const SampleSpace<Scalar>> sample_space = nullptr);

  Index dimension() const { return metric_.dimension(); }       ///< d
  Index latent_dimension() const { return latent_; }            ///< q
  const Vector<Scalar>& origin() const { return origin_; }      ///< d; empty: 0
  bool is_identity() const { return form_ == Form::identity; }  ///< M = I: p = x - origin
  bool is_sandwich() const { return form_ == Form::sandwich; }  ///< of rank r < d; lifts to one

  /// x: b x d. Throws DataError on another width, NumericalError if a value is not finite (or overflows when squared).
  PreparedPoints<Scalar> prepare(const MatrixView<Scalar>& x) const;
  double unit() const { return unit_; }

  /// g (b x q) -> g F (b x d), rows being gradients; unit() is left to the caller.
  Matrix<Scalar> lift(const Matrix<Scalar>& g) const;
  /// s (q x q, symmetric) -> F^T s F: dense, or a sandwich that shares M's factor where M is a sandwich with r < d.
  FeatureMatrix<Scalar> lift_outer_product(const Matrix<Scalar>& s) const;

 private:
  void choose_unit(const MatrixView<Scalar>& x);
  PreparedPoints<Scalar> coordinates_of(const MatrixView<Scalar>& x) const;  // without unit and norms
  enum class Form { identity, scaled, factored, sandwich };

  bool radial_, p_norm_;
  Form form_;
  FeatureMatrix<Scalar> metric_;
  Index latent_;
  double unit_ = 1;
  std::shared_ptr<const SampleSpace<Scalar>> sample_space_;
  Vector<Scalar> origin_;  // d; empty: 0
  Vector<Scalar> scale_;   // scaled: sqrt(m)
  Matrix<Scalar> root_;    // factored: F (q x d; symmetric for a p-norm). sandwich: R (q x r), empty for C = I
};

/// F (q x d) with F^T F = m to rounding, for the symmetric positive semi-definite m (d x d): upper triangular by LAPACK
/// ?potrf, or, where that fails, of the numerical rank q by the pivoted ?pstrf. Negative eigenvalues within rounding
/// count as 0.
template <class Scalar>
Matrix<Scalar> semidefinite_root(Matrix<Scalar> m);

}  // namespace ansatz::rfm
