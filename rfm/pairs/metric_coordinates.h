// Coordinates in which distances under a feature matrix M are plain Euclidean ones.
#pragma once

#include <memory>
#include <vector>

#include "core/features/feature_matrix.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/sample_space.h"

namespace ansatz::rfm {

/// Points in the coordinates p of a MetricCoordinates, in which <x,z>_M = p(x)^T p(z), but for these changes:
/// - for radial kernels p is relative to a common origin (which changes no distance and spares digits of float32);
/// - for dot-product kernels p is scaled to unit length (0 for a point of M-norm 0).
template <class Scalar>
struct PreparedPoints {
  Matrix<Scalar> points;  ///< n x q
  Vector<Scalar> norms;   ///< n: radial |x - origin|_M^2; dot-product |x|_M
  bool rounded = false;   ///< computing the coordinates rounded them: distances within that rounding count as 0
  /// With the centres (n x centres), if they are known: inner products, or sums of powers for a kernel of a p-norm.
  std::shared_ptr<const Matrix<Scalar>> products = nullptr;
  double unit = 1;  ///< points = p / unit; a power of two, not 1 only where squares would leave Scalar's range

  Index size() const { return points.rows(); }
  PreparedPoints rows(const std::vector<Index>& indices) const;
};

/// Writes M = F^T F and works with the coordinates p = F (x - origin) of length q. The distance of a close pair is then
/// as accurate as its coordinates, however small it is beside the norms; computed as (x - z)^T M (x - z) it would not
/// be, if M is nearly singular. A gradient g in these coordinates is "lifted" to input space as F^T g.
/// - M the identity or diagonal: F = diag(sqrt(m)), q = d.
/// - M dense: F by Cholesky, pivoted where M is singular to rounding; q is the numerical rank.
/// - M a sandwich (F_0, C) of rank r < d: F = R F_0 with C = R^T R, and no d x d matrix is ever formed. A sandwich with
///   r >= d is treated as dense.
/// For kernels of a p-norm, F is the symmetric M^1/2 instead (q = d), from eigenpairs if M is dense or a sandwich.
template <class Scalar>
class MetricCoordinates {
 public:
  /// `x` (n x d) determines the unit and the origin: common_origin(x) for radial kernels, 0 for dot-product kernels.
  /// `sample_space` (of x), if given, spares products with x where M is I or a sandwich over x; without it, a sandwich
  /// over x makes its own. Throws
  /// - DataError if d differs;
  /// - NumericalError if M is not finite, or has no positive pivot though it is not 0, or if most rows are so short
  ///   that their products vanish in Scalar and no unit can help (dot-product kernels, sample space);
  /// - MemoryError for a p-norm if M is a sandwich and d > kDenseLimit.
  MetricCoordinates(const Kernel& kernel, FeatureMatrix<Scalar> metric, const MatrixView<Scalar>& x,
                    std::shared_ptr<const SampleSpace<Scalar>> sample_space = nullptr);

  Index dimension() const { return metric_.dimension(); }       ///< d
  Index latent_dimension() const { return latent_; }            ///< q
  const Vector<Scalar>& origin() const { return origin_; }      ///< d; empty: 0
  bool is_identity() const { return form_ == Form::identity; }  ///< M = I: p = x - origin
  bool is_sandwich() const { return form_ == Form::sandwich; }  ///< of rank r < d

  /// x: b x d. Throws DataError on another width, NumericalError if a value is not finite (or overflows when squared).
  PreparedPoints<Scalar> prepare(const MatrixView<Scalar>& x) const;
  double unit() const { return unit_; }

  /// Lifts gradients, one a row: g (b x q) becomes g F (b x d). Dividing by unit() is left to the caller.
  Matrix<Scalar> lift(const Matrix<Scalar>& g) const;
  /// F^T s F for symmetric s (q x q): dense, or a sandwich that shares M's factor where M is a sandwich with r < d.
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
