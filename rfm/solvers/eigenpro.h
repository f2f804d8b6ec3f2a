// EigenPro: stochastic iteration on (K + ridge I) alpha = Y with its leading eigendirections damped.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

inline constexpr double kEigenProBatchBytes = 256.0 * (1 << 20);  ///< the most that a batch's rows of K may take

struct EigenProOptions {
  double ridge = 1e-3;
  double tolerance = 1e-5;  ///< done when the relative residual seen over an epoch is below it
  Index max_epochs = 30;
  Index subsample = 0;   ///< s rows whose eigenvectors precondition; 0: 2000, from 100,000 points on 4000 (cut to n)
  Index directions = 0;  ///< q; 0: as many as s/20 and at least 20
  Index batch = 0;       ///< m; 0: beta / lambda, from where larger batches gain little, but at most 256 MB of K
  Index patience = 3;    ///< epochs without a better validation error after which the best coefficients are returned
};

template <class Scalar>
struct EigenProResult {
  Matrix<Scalar> alpha;  ///< n x c: after the epoch of the least validation error (without one: the least residual)
  Index epochs = 0, directions = 0, batch = 0;
  double step = 0;  ///< the factor by which a batch's residuals change its coefficients
  Termination termination = Termination::iteration_limit;
  std::string stopped;
  std::vector<SolveProgress> history;  ///< one an epoch
};

/// Richardson iteration by random batches B of m rows, preconditioned by s random rows S. With the batch's residuals
/// g = K(B,X) alpha + ridge alpha_B - Y_B, a step is
///   alpha_B -= step g,   alpha_S += step E^T D E K(S,B) g.
/// E (q x s) holds the leading eigenvectors of K(S,S), sigma_i are its eigenvalues, and
/// D_i = (1 - (sigma_{q+1}/sigma_i)^0.95) / sigma_i. The effect is that of a damped kernel whose q leading eigenvalues
/// are brought down to about the next one. The step length depends on beta, the largest entry of the damped kernel's
/// diagonal plus the ridge, and on lambda = sigma_{q+1}/s + ridge/n:
/// - batches below the critical size, m < beta/lambda + 1: step = 1/beta;
/// - larger batches: step = 0.99 * 2 / (beta + (m - 1) lambda).
/// The method is that of Ma and Belkin (2019), the exponent 0.95 that of their program. Throws NumericalError if a
/// residual is ten times the least so far, or not finite.
template <class Scalar>
EigenProResult<Scalar> eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
                                const EigenProOptions& options, const RandomStream& stream,
                                const ValidationError<Scalar>& validation = {});

}  // namespace ansatz::rfm
