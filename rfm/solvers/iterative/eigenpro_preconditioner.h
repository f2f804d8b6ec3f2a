// EigenPro's preconditioner: damps the leading eigendirections of K + ridge I, as seen from a subsample.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"

namespace ansatz::rfm {

/// P = I - R^T E^T D E K(S,X), n x n, from s random rows S of X. R selects these rows; E (q x s) holds the leading
/// eigenvectors of K(S,S), and D is diagonal. With the eigenvalues sigma_1 >= ... >= sigma_s of K(S,S), which estimate
/// s/n times those of K, and rho = ridge s/n, so that sigma_i + rho stands for an eigenvalue of A = K + ridge I,
///   D_i = (1 - p_i) / sigma_i,   p_i = ((sigma_{q+1} + rho) / (sigma_i + rho))^0.95.
///
/// Spectrum. If S = X and v_i is an eigenvector of K, then P v_i = p_i v_i for i <= q and P v_i = v_i beyond, so that
/// the eigenvalues of A P are
///   (sigma_i + rho)^0.05 (sigma_{q+1} + rho)^0.95 for i <= q,   sigma_i + rho for i > q.
/// The largest is that of i = 1, not sigma_{q+1} + rho: at sigma_1 = 10^4 sigma_{q+1} and no ridge it is 10^0.2 = 1.58
/// times as large. If S is a part of X, the other rows have a share of the leading directions that S does not see, and
/// both the largest eigenvalue and the diagonal of A P exceed what S alone says (the diagonal twelvefold for a Gaussian
/// kernel of 300 rows in 1500). beta() and lambda() are therefore measured on rows beside S.
///
/// Method and exponent: Ma and Belkin, "Diving into the shallows" (NeurIPS 2017) and "Kernel machines that adapt to
/// GPUs for effective large batch training" (MLSys 2019, EigenPro 2.0), who have no ridge. An exponent below 1 forgives
/// errors of the estimated eigenvectors.
template <class Scalar>
class EigenProPreconditioner {
 public:
  /// s = `subsample` (cut to n) and q = `directions` (cut to s - 1). Draws S, and the rows on which lambda is measured,
  /// from child streams of `stream`. Takes (n + 2 s) s values of K.
  EigenProPreconditioner(const KernelOperator<Scalar>& k, double ridge, Index subsample, Index directions,
                         const RandomStream& stream);

  const std::vector<Index>& rows() const { return rows_; }  ///< S, ascending
  Index directions() const { return vectors_.rows(); }      ///< q
  /// The largest entry of K P's diagonal, over all rows, plus the ridge: no entry of A P's is larger. At least the
  /// rounding of K's.
  double beta() const { return beta_; }
  /// The largest eigenvalue of A P over n, estimated by that of s random rows. Where these are all rows it is an upper
  /// bound, reached if the ridge is 0: that of K P over n, plus ridge/n. At least the rounding of K's diagonal.
  double lambda() const { return lambda_; }

  /// E^T D E K(S,B) g (s x c): what P g has on S besides g itself, with the opposite sign, for g (m x c) that is 0
  /// outside a batch B. k_batch: K(B,X), m x n.
  Matrix<Scalar> correction(const Matrix<Scalar>& k_batch, const Matrix<Scalar>& g) const;

 private:
  void find_directions(const KernelOperator<Scalar>& k, double ridge, Index directions);
  Matrix<Scalar> removed_root(const KernelOperator<Scalar>& k, const std::vector<Index>& rows) const;
  double largest_diagonal(const KernelOperator<Scalar>& k, const Vector<Scalar>& diagonal) const;
  double largest_eigenvalue(const KernelOperator<Scalar>& k, const std::vector<Index>& rows) const;

  std::vector<Index> rows_;
  Matrix<Scalar> vectors_;  // E
  Vector<Scalar> weights_;  // D
  double beta_ = 1, lambda_ = 1;
};

}  // namespace ansatz::rfm
