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

  /// K alpha for alpha n x c, sums in double, read from the kept triangle; tiles of K only are ever held in double.
  Eigen::MatrixXd multiply(const Matrix<Scalar>& alpha) const;

  // Each factors K + shift I anew (restoring K first) and says whether that went well.
  /// LAPACK ?potrf; false if not positive definite. To the diagonal comes `jitter` times itself too (where it is 0:
  /// times its mean), so that rows of other lengths are treated alike.
  bool factor_cholesky(double shift, double jitter = 0);
  bool factor_ldlt(double shift);   ///< LAPACK ?sytrf; false if exactly singular
  bool factor_eigen(double shift);  ///< LAPACK ?syevd; pseudo-inverse of what exceeds n epsilon of the largest

  /// Of the Cholesky factor: the least square of its diagonal, as a share of the factored matrix's. Rounding leaves no
  /// digit of it where it is some epsilon.
  double least_pivot() const;

  /// The factored matrix's inverse times b (n x c).
  Matrix<Scalar> solve(const Matrix<Scalar>& b) const;

 private:
  enum class Factor { none, cholesky, ldlt, eigen };
  void restore(double shift, double jitter = 0);

  Matrix<Scalar> k_;         // strictly lower triangle: K. The rest: the factor
  Vector<Scalar> diagonal_;  // of K
  Vector<Scalar> shifted_;   // of the factored matrix
  Factor factor_ = Factor::none;
  std::vector<int> pivots_;   // ldlt
  EigenPairs<Scalar> eigen_;  // eigen; values inverted, 0 where dropped
};

}  // namespace ansatz::rfm
