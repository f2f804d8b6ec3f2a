// An approximation of (K + ridge I)^-1 from a few columns of K.
#pragma once

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"

namespace ansatz::rfm {

/// P = B B^T + shift I, where B B^T = K(:,S) K(S,S)^-1 K(S,:) is the Nystrom approximation of K from the s columns
/// S of a randomly pivoted Cholesky factor, and shift = ridge + the mean of the diagonal of K - B B^T. The spectrum of
/// P^-1 (K + ridge I) is then near 1 for the leading eigenvectors and spread about 1 for the others. Holds n s numbers.
template <class Scalar>
class NystromPreconditioner {
 public:
  /// `rank`: s at most (fewer if fewer exhaust K); its columns are drawn from `stream`.
  NystromPreconditioner(const KernelOperator<Scalar>& k, double ridge, Index rank, const RandomStream& stream);

  Index rank() const { return b_.cols(); }
  double shift() const { return shift_; }
  /// P^-1 r, n x c, by the Woodbury identity: (r - B (shift I + B^T B)^-1 B^T r) / shift.
  Matrix<double> apply(const Matrix<double>& r) const;

 private:
  Matrix<Scalar> b_;      // n x s
  Matrix<double> inner_;  // Cholesky factor of shift I + B^T B, s x s
  double shift_ = 1;
};

}  // namespace ansatz::rfm
