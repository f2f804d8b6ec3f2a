// (K(X,X;M) + ridge I) alpha = Y.
#pragma once

#include <string>
#include <vector>

#include "core/feature_matrix.h"
#include "core/random.h"
#include "rfm/direct_solve.h"
#include "rfm/kernels.h"
#include "rfm/metric_coordinates.h"

namespace ansatz::rfm {

/// Takes (kernel, M, X, Y), not a formed K, so that solvers may tile or recompute. x: n x d, y: n x c; `start` (n x c)
/// or empty: where an iterative solver begins. `stream` draws the preconditioner's columns. A solver that `auto` chose
/// and that did not reach its tolerance is followed by a direct one where K fits. Throws ConfigError on options out of
/// range, DataError if n differs, NumericalError if X, Y or the result is not finite, Interrupted between iterations.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const Matrix<Scalar>& start = {});
/// The same on points prepared already.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const Matrix<Scalar>& start = {});

/// What solve() will do with n points and c outputs.
struct SolverChoice {
  SolverKind kind = SolverKind::cholesky;
  bool stored = true;  ///< K in memory
  Index preconditioner_rank = 0;
  std::string reason;
};
SolverChoice choose_solver(Index n, Index outputs, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes);

struct SolverInfo {
  SolverKind kind;
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
