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

/// Takes (kernel, M, X, Y), not a formed K, so that solvers may tile or recompute. x: n x d, y: n x c. `stream` draws
/// the preconditioner's columns and the batches. A solver that `auto` chose and that did not reach its tolerance is
/// followed by a direct one where K fits. Throws ConfigError on options out of range, DataError if n differs,
/// NumericalError if X, Y or the result is not finite, Interrupted between iterations.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const SolveHints<Scalar>& hints = {});
/// The same on points prepared already.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const SolveHints<Scalar>& hints = {});

/// n points in q coordinates (q = d, or the rank of M), c outputs.
struct SystemSize {
  Index points = 0, width = 0, outputs = 0;
};

/// What solve() will do.
struct SolverChoice {
  SolverKind kind = SolverKind::cholesky;
  bool stored = true;  ///< K in memory
  Index preconditioner_rank = 0;
  double flops = 0;  ///< K included; iterations and epochs as they typically come out
  double bytes = 0;  ///< held besides the points
  std::string reason;

  std::string describe() const;  ///< "pcg, K in memory"
};
SolverChoice choose_solver(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes);

struct SolverInfo {
  SolverKind kind;
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
