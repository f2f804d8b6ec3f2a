// What a kernel matrix says of generalization before any test row is seen: all measures from one eigen-decomposition.
#pragma once

#include "core/linalg/linalg.h"

namespace ansatz::rfm {

/// Of ridge regression with one ridge r, A = K + r I, H = K A^-1 the hat matrix (fitted values H Y), n rows, c outputs.
struct RidgeMeasures {
  double ridge = 0;
  double degrees_of_freedom = 0;   ///< tr H = sum_i l_i / (l_i + r): how many targets' worth the machine can fit
  double mean_inverse = 0;         ///< tr A^-1 / n: the variance that noise of variance 1 adds to the coefficients
  double target_norm = 0;          ///< tr Y^T A^-1 Y / n: for r = 0 the squared norm of the interpolant over n
  double training_error = 0;       ///< |(I - H) Y|^2 / (n c)
  double leave_one_out_error = 0;  ///< of the n machines without one row each, at that row: mean over n c squares
  /// Generalized cross-validation (Golub, Heath and Wahba, 1979): training_error / (1 - tr H / n)^2, the leave-one-out
  /// error if all rows had the same leverage.
  double generalized_cross_validation = 0;
};

/// K = sum_i l_i u_i u_i^T (n x n) beside targets Y (n x c). All in double; n^3 flops once, then n^2 c a ridge.
class KernelMeasures {
 public:
  /// `kernel`: symmetric, both triangles; eigenvalues that are negative within rounding count as 0. Throws DataError if
  /// shapes do not fit or there are no rows, NumericalError if a value is not finite or an eigenvalue is negative
  /// beyond rounding.
  KernelMeasures(const Matrix<double>& kernel, const Matrix<double>& targets);

  const Vector<double>& eigenvalues() const { return pairs_.values; }  ///< n, descending, >= 0
  /// |u_i^T Y|^2 / |Y|^2: the share of the targets in each eigenvector; they add up to 1. Zeros if Y = 0.
  Vector<double> target_shares() const;

  double target_alignment() const;  ///< <K, Y Y^T> / (|K| |Y Y^T|), Frobenius; 0 if Y = 0 or K = 0
  /// The same of H K H and H Y, H = I - 1 1^T / n: it does not change if a constant is added to the kernel or to Y.
  double centered_target_alignment() const;
  /// (sum_i l_i)^2 / sum_i l_i^2: how many eigenvalues carry the trace; n for K = I, 1 for rank 1; 0 if K = 0.
  double effective_rank() const;

  /// Throws ConfigError on a ridge < 0, NumericalError if K + ridge I is singular to rounding.
  RidgeMeasures at(double ridge) const;
  /// Predictions at each row of the machine without it, n x c.
  Matrix<double> leave_one_out(double ridge) const;

 private:
  EigenPairs<double> pairs_;
  Matrix<double> targets_;     // n x c
  Matrix<double> components_;  // n x c: u_i^T y
};

}  // namespace ansatz::rfm
