// Solves in float64 the systems that float32 does not solve.
#pragma once

#include <string>

#include "core/base/random.h"
#include "rfm/pairs/metric_coordinates.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

/// How much float32 kernel values and sums change the predictions at the training rows: root mean square, relative to
/// that of y. Computes predictions both ways at up to 256 of the rows, which takes 256 n pairs in double.
double float_prediction_error(const Kernel& kernel, const PreparedPoints<float>& points, const Matrix<float>& alpha,
                              const MatrixView<float>& y);

/// Why the precision of Scalar does not suffice for these coefficients; empty if it does.
template <class Scalar>
std::string rounding_problem(const Kernel& kernel, const PreparedPoints<Scalar>& points, const Vector<Scalar>& diagonal,
                             const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y);

/// Solves in float64 and rounds the coefficients to float32. The solver is Cholesky with its ladder if K fits memory in
/// float64, otherwise conjugate gradients with K recomputed and up to four times the preconditioner's rank. The rounded
/// coefficients are returned if their float32 predictions at the rows, and at points between and beside them, differ by
/// no more than kFaithful from those in float64. If rounding spoils the coefficients, smaller ones that predict the
/// same (DirectSolver::coefficients_of) are tried by the same rule: there are such if, say, a row occurs twice with
/// contradicting targets, because only the sum of its coefficients matters. Throws NumericalError, with what to do, if
/// none will do. `why` says what failed before, for the note of the summary.
Solution<float> solve_in_double(const Kernel& kernel, const PreparedPoints<float>& points, const MatrixView<float>& y,
                                const SolverOptions& options, const RandomStream& stream, const std::string& why);

}  // namespace ansatz::rfm
