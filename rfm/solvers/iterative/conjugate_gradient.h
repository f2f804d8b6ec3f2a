// Preconditioned conjugate gradients for (K + ridge I) alpha = Y with several right-hand sides.
#pragma once

#include <string>
#include <vector>

#include "core/record/solve_summary.h"
#include "rfm/solvers/iterative/nystrom_preconditioner.h"
#include "rfm/solvers/iterative/validation_error.h"

namespace ansatz::rfm {

struct ConjugateGradientOptions {
  double ridge = 1e-3;
  double tolerance = 1e-5;  ///< a column is done when |Y - (K + ridge I) alpha| <= tolerance |Y|
  Index max_iterations = 500;
};

template <class Scalar>
struct ConjugateGradientResult {
  Matrix<Scalar> alpha;     ///< n x c: for each column, the coefficients that had its least residual
  Matrix<double> residual;  ///< Y - (K + ridge I) alpha as measured at the end, n x c
  Index iterations = 0;
  Termination termination = Termination::stalled;
  /// An estimate of sqrt(e^T (K + ridge I) e) over all columns, where e is the error of alpha. It bounds the error of f
  /// in the kernel's own norm: where K has tiny eigenvalues, a small residual says little about predictions between the
  /// rows.
  double error_energy = 0;
  /// One entry an iteration, with the residual that the recurrence has. The validation error is computed only where K
  /// is recomputed, because it then costs little beside an iteration.
  std::vector<SolveProgress> history;
  std::string stopped;  ///< "every residual is below 1e-05", "500 iterations", "rounding leaves no further progress"
};

/// Every column has its own step lengths and stops on its own; one product with K serves all columns. The recurrences
/// are in double, K is in Scalar. When they say that all columns are done, the residual is measured in double, and the
/// iteration goes on from the measured residual as long as each such round halves it. `termination` and `stopped` speak
/// of the measured residual. `start` (n x c, or empty) says where to begin. Stops early if the residual has not
/// improved by a tenth in kPatience iterations (Scalar has no more digits, or K + ridge I is singular and Y not in its
/// range), or if it has grown a thousandfold.
template <class Scalar>
ConjugateGradientResult<Scalar> conjugate_gradient(const KernelOperator<Scalar>& k,
                                                   const NystromPreconditioner<Scalar>& preconditioner,
                                                   const MatrixView<Scalar>& y, const Matrix<Scalar>& start,
                                                   const ConjugateGradientOptions& options,
                                                   const ValidationError<Scalar>& validation = {});

inline constexpr Index kPatience = 20;

}  // namespace ansatz::rfm
