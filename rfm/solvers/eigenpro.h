// EigenPro: stochastic iteration on (K + ridge I) alpha = Y with its leading eigendirections damped.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

inline constexpr double kEigenProBatchBytes = 256.0 * (1 << 20);  ///< of K at once, at most

struct EigenProOptions {
  double ridge = 1e-3;
  double tolerance = 1e-5;  ///< done when the relative residual seen over an epoch is below it
  Index max_epochs = 30;
  Index subsample = 0;   ///< s rows whose eigenvectors precondition; 0: 2000, from 100,000 points on 4000 (cut to n)
  Index directions = 0;  ///< q; 0: as many as s/20 and at least 20
  Index batch = 0;       ///< m; 0: beta / lambda_{q+1}, where larger batches stop paying, within 256 MB of K
  Index patience = 3;    ///< epochs without a better validation error after which the best coefficients are returned
};

template <class Scalar>
struct EigenProResult {
  Matrix<Scalar> alpha;  ///< n x c: of the epoch with the least validation error (none given: the least residual)
  Index epochs = 0, directions = 0, batch = 0;
  double step = 0;  ///< what a batch's residuals are multiplied by
  Termination termination = Termination::iteration_limit;
  std::string stopped;
  std::vector<SolveProgress> history;  ///< one an epoch
};

/// Richardson iteration by random batches B of m rows: with g = K(B,X) alpha + ridge alpha_B - Y_B,
///   alpha_B -= step g,   alpha_S += step E^T D E K(S,B) g,
/// E (q x s) the leading eigenvectors of K(S,S), D_i = (1 - (sigma_{q+1}/sigma_i)^0.95) / sigma_i: the kernel that acts
/// has its q leading eigenvalues brought down to the next. step = 1/beta below the critical batch beta/lambda_{q+1} (+
/// 1), else 0.99 * 2 / (beta + (m - 1) lambda_{q+1}), with beta = max of that kernel's diagonal plus the ridge and
/// lambda = sigma/s. (Ma and Belkin 2019; the damped exponent is the authors'.) A residual
/// ten times the least so far, or not finite: NumericalError.
template <class Scalar>
EigenProResult<Scalar> eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
                                const EigenProOptions& options, const RandomStream& stream,
                                const ValidationError<Scalar>& validation = {});

}  // namespace ansatz::rfm
