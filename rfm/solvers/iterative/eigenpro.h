// EigenPro: stochastic iteration on A alpha = Y, A = K + ridge I, with its leading eigendirections damped.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/record/solve_summary.h"
#include "rfm/pairs/kernel_operator.h"
#include "rfm/solvers/iterative/validation_error.h"

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
  double step = 0;              ///< the factor by which a batch's residuals change its coefficients
  double beta = 0, lambda = 0;  ///< of the damped kernel (EigenProPreconditioner), from which batch and step follow
  Termination termination = Termination::iteration_limit;
  std::string stopped;
  std::vector<SolveProgress> history;  ///< one an epoch
};

/// The largest step for which the mean energy of the error never grows, whatever the error: 2 / (beta + (m - 1) lambda)
/// for batches of m rows. In the coordinates a with alpha = P a the iteration is stochastic gradient descent on the
/// kernel G = A P (symmetric if S = X), with the error e = a - a* and the residuals G e of the batch:
///   e' = e - step I_B G e.
/// With phi_i the features of G, the energy |f|^2 = e^T G e of f = sum_i e_i phi_i, and f(i) = <f, phi_i> = (G e)_i,
/// taking B of m independent rows gives the mean
///   E|f'|^2 = |f|^2 - 2 step m E f(i)^2 + step^2 (m E f(i)^2 |phi_i|^2 + m (m - 1) |E f(i) phi_i|^2)
///          <= |f|^2 - step m (2 - step (beta + (m - 1) lambda)) E f(i)^2,
/// since |phi_i|^2 = G_ii <= beta, and since E phi_i phi_i^T has the eigenvalues of G/n, at most lambda. Different
/// rows, as in a permutation, only lessen the last term (by a share (m-1)/(n-1) of E f(i)^2 (beta - lambda)). Ma,
/// Bassily and Belkin, "The power of interpolation" (ICML 2018).
double stable_step(Index batch, double beta, double lambda);

/// The step taken: 1/beta, at most 0.99 of the stable one. Directions of small eigenvalue lose
/// m (2 step - step^2 beta) of their mean energy a batch, which 1/beta makes as large as it can be, and it is stable up
/// to the critical batch m = beta/lambda + 1. Larger batches need shorter steps and gain little.
double eigenpro_step(Index batch, double beta, double lambda);

/// Richardson iteration by random batches B of m rows, preconditioned by s random rows S. With the batch's residuals
/// g = K(B,X) alpha + ridge alpha_B - Y_B, a step is
///   alpha_B -= step g,   alpha_S += step E^T D E K(S,B) g,
/// with E and D of EigenProPreconditioner, whose beta and lambda batch and step follow from. Throws NumericalError if a
/// residual is ten times the least so far, or not finite.
template <class Scalar>
EigenProResult<Scalar> eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
                                const EigenProOptions& options, const RandomStream& stream,
                                const ValidationError<Scalar>& validation = {});

}  // namespace ansatz::rfm
