// A symmetric system that survives its own factorisation: one triangle is overwritten, the other keeps K.
#pragma once

#include <optional>
#include <vector>

#include "core/linalg/linalg.h"

namespace ansatz::rfm {

template <class Scalar>
class SymmetricSystem {
 public:
  /// `k`: n x n, both triangles.
  explicit SymmetricSystem(Matrix<Scalar> k);

  Index size() const { return k_.rows(); }
  const Vector<Scalar>& diagonal() const { return diagonal_; }  ///< of K

  /// K alpha for alpha (n x c), from the triangle that is kept. Sums are in double; of K only tiles are held in double.
  Eigen::MatrixXd multiply(const Matrix<Scalar>& alpha) const;

  // Each of these restores K, factors K + shift I and returns whether that went well.

  /// LAPACK ?potrf; false if not positive definite. Also adds `jitter` times the diagonal to the diagonal (times its
  /// mean where an entry is 0), so that rows of different lengths are treated alike.
  bool factor_cholesky(double shift, double jitter = 0);
  bool factor_ldlt(double shift);  ///< LAPACK ?sytrf; false if exactly singular
  /// LAPACK ?syevd; pseudo-inverse of what exceeds n epsilon of the largest. K is decomposed once for all shifts.
  bool factor_eigen(double shift);

  /// Of the last factor_eigen(): the least absolute eigenvalue of the factored matrix, as a share of the largest.
  double least_eigenvalue() const;

  /// The least pivot of Cholesky: of the squared entries on the factor's diagonal, as shares of the factored matrix's
  /// diagonal, the smallest. If it is only a few epsilon, rounding has left no digit of that pivot.
  double least_pivot() const;

  /// The factored matrix's inverse times b (n x c).
  Matrix<Scalar> solve(const Matrix<Scalar>& b) const;

  /// Hands over K, both triangles, to the bit as it came.
  Matrix<Scalar> release();

 private:
  enum class Factor { none, cholesky, ldlt, eigen };
  void restore(double shift, double jitter = 0);

  Matrix<Scalar> k_;         // strictly lower triangle: K. The rest: the factor
  Vector<Scalar> diagonal_;  // of K
  Vector<Scalar> shifted_;   // of the factored matrix
  Factor factor_ = Factor::none;
  std::vector<int> pivots_;      // ldlt
  EigenPairs<Scalar> spectrum_;  // of K, once it has been decomposed
  Vector<Scalar> inverted_;      // eigen: 1 / (value + shift), 0 where dropped
};

}  // namespace ansatz::rfm
