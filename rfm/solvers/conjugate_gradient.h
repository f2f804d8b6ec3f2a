// Preconditioned conjugate gradients for (K + ridge I) alpha = Y with several right-hand sides.
#pragma once

#include <string>

#include "rfm/solvers/nystrom_preconditioner.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

struct ConjugateGradientOptions {
  double ridge = 1e-3;
  double tolerance = 1e-5;  ///< a column is done when |Y - (K + ridge I) alpha| <= tolerance |Y|
  Index max_iterations = 500;
};

template <class Scalar>
struct ConjugateGradientResult {
  Matrix<Scalar> alpha;     ///< n x c: each column's of the least residual met
  Matrix<double> residual;  ///< Y - (K + ridge I) alpha as measured at the end, n x c
  Index iterations = 0;
  Termination termination = Termination::stalled;
  /// About sqrt(e^T (K + ridge I) e) of the error e of alpha, all columns: what |f_error| is at most in the kernel's
  /// own norm. A small residual alone says little of predictions between the rows where K has tiny eigenvalues.
  double error_energy = 0;
  /// One an iteration, the residual as the recurrence has it; the validation error where K is recomputed, for
  /// then it costs little beside an iteration.
  std::vector<SolveProgress> history;
  std::string stopped;  ///< "every residual is below 1e-05", "500 iterations", "rounding leaves no further progress"
};

/// Every column has its own step lengths and stops on its own; one product with K serves all that are left. Recurrences
/// in double, K in Scalar. When the recurrence says that all are done, the residual is measured in double and iteration
/// goes on from it as long as that halves it; `termination` and `stopped` speak of the residual measured. `start` (n x
/// c) or empty: where to begin. Stops early where the residual has not improved by a tenth in kPatience iterations
/// (Scalar has no more digits, or K + ridge I is singular and Y not in its range), or has grown a thousandfold.
template <class Scalar>
ConjugateGradientResult<Scalar> conjugate_gradient(const KernelOperator<Scalar>& k,
                                                   const NystromPreconditioner<Scalar>& preconditioner,
                                                   const MatrixView<Scalar>& y, const Matrix<Scalar>& start,
                                                   const ConjugateGradientOptions& options,
                                                   const ValidationError<Scalar>& validation = {});

inline constexpr Index kPatience = 20;

}  // namespace ansatz::rfm
