// (K(X,X;M) + ridge I) alpha = Y.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/features/feature_matrix.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/metric_coordinates.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {

/// Takes (kernel, M, X, Y), not a formed K, so that solvers may work in tiles or recompute K. x: n x d, y: n x c.
/// `stream` draws the preconditioner's columns and the batches.
///
/// The solution predicts as the exact coefficients would, to kFaithful of the targets or to the tolerance asked for.
/// Where a solver does not get so far, remedies follow:
/// - a float32 solution is replaced by one found in float64;
/// - after conjugate gradients that `auto` chose comes a direct solver if K fits memory, otherwise a preconditioner of
///   higher rank.
/// The exception is EigenPro stopped early by a validation set, which need only fit better than alpha = 0.
///
/// Throws NumericalError, with what to do, if no remedy helps or if X or Y is not finite; ConfigError on options out of
/// range; DataError if n differs; Interrupted between iterations.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const SolveHints<Scalar>& hints = {});
/// The same on points that are already prepared.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const SolveHints<Scalar>& hints = {});

inline constexpr double kShareOfMemory = 0.9;  ///< share of the free memory that K may take

/// n points in q coordinates (q = d, or the rank of M), c outputs.
struct SystemSize {
  Index points = 0, width = 0, outputs = 0;
};

/// Which solver solve() will use, and what it will cost.
struct SolverChoice {
  SolverKind kind = SolverKind::cholesky;
  bool stored = true;  ///< K in memory
  Index preconditioner_rank = 0;
  Index iterations = 0;  ///< pcg: at most; fewer than asked for, if a factorisation would have ended by then
  double flops = 0;      ///< K included; for a typical number of iterations, or all epochs
  double bytes = 0;      ///< held besides the points
  std::string reason;

  std::string describe() const;  ///< "pcg, K in memory"
};
SolverChoice choose_solver(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes);
/// Whether that will be Cholesky, whatever memory is free.
bool factors_directly(Index points, const SolverOptions& options);

/// The preconditioner's rank in a second try: four times the first rank, or as much as half the memory holds.
Index higher_rank(Index points, Index rank, std::size_t scalar_bytes, double memory);

struct SolverInfo {
  SolverKind kind;
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
