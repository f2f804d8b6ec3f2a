// Systems that float32 does not solve, in float64.
#pragma once

#include <string>

#include "core/base/random.h"
#include "rfm/pairs/metric_coordinates.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

/// Root mean square, relative to that of y, of what float32 kernel values and sums change in the predictions at the
/// rows that the coefficients belong to: both computed at up to 256 of them, 256 n pairs in double.
double float_prediction_error(const Kernel& kernel, const PreparedPoints<float>& points, const Matrix<float>& alpha,
                              const MatrixView<float>& y);

/// Solves in float64 (Cholesky's ladder where K then fits memory, otherwise conjugate gradients with K recomputed and
/// up to four times the preconditioner's rank) and rounds the coefficients to float32. They are returned if float32
/// predictions at the rows, and at points between and beside them, differ by no more than kFaithful from those in
/// float64. Where rounding spoils them, smaller coefficients of the same predictions are tried by the same rule
/// (DirectSolver::coefficients_of): of rows that occur twice with contradicting targets, only the sum of the
/// coefficients matters. NumericalError, with what to do, if none will do. `why`: what went before, for the note.
Solution<float> solve_in_double(const Kernel& kernel, const PreparedPoints<float>& points, const MatrixView<float>& y,
                                const SolverOptions& options, const RandomStream& stream, const std::string& why);

}  // namespace ansatz::rfm
