// A symmetric system that survives its own factorisation: one triangle is overwritten, the other keeps K.
#pragma once

#include <optional>
#include <vector>

#include "core/linalg.h"

namespace ansatz::rfm {

template <class Scalar>
class SymmetricSystem {
 public:
  /// `k`: n x n, both triangles.
  explicit SymmetricSystem(Matrix<Scalar> k);

  Index size() const { return k_.rows(); }
  double mean_diagonal() const;

  /// K alpha for alpha n x c, sums in double, read from the kept triangle; tiles of K only are ever held in double.
  Eigen::MatrixXd multiply(const Matrix<Scalar>& alpha) const;

  // Each factors K + shift I anew (restoring K first) and says whether that went well.
  bool factor_cholesky(double shift);  ///< LAPACK ?potrf; false if not positive definite
  bool factor_ldlt(double shift);      ///< LAPACK ?sytrf; false if exactly singular
  bool factor_eigen(double shift);     ///< LAPACK ?syevd; pseudo-inverse of what exceeds n epsilon of the largest

  /// (K + shift I)^-1 b by the factor at hand, b n x c.
  Matrix<Scalar> solve(const Matrix<Scalar>& b) const;

 private:
  enum class Factor { none, cholesky, ldlt, eigen };
  void restore(double shift);

  Matrix<Scalar> k_;         // strictly lower triangle: K. The rest: the factor
  Vector<Scalar> diagonal_;  // of K
  Factor factor_ = Factor::none;
  std::vector<int> pivots_;   // ldlt
  EigenPairs<Scalar> eigen_;  // eigen; values inverted, 0 where dropped
};

}  // namespace ansatz::rfm
