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

/// Takes (kernel, M, X, Y), not a formed K, so that solvers may tile or recompute. x: n x d, y: n x c. `stream` draws
/// the preconditioner's columns and the batches.
/// What comes back predicts as the exact coefficients would, to kFaithful of the targets or the tolerance asked for: a
/// float32 solution that does not is replaced by one found in float64, and conjugate gradients that `auto` chose are
/// followed by a direct solver where K fits, otherwise by more of a preconditioner. Eigenpro that a validation set
/// stopped early need only fit better than nothing. NumericalError, with what to do, where no remedy helps.
/// Throws ConfigError on options out of range, DataError if n differs, NumericalError if X or Y is not finite,
/// Interrupted between iterations.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const SolveHints<Scalar>& hints = {});
/// The same on points prepared already.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const SolveHints<Scalar>& hints = {});

inline constexpr double kShareOfMemory = 0.9;  ///< of what is free, for K

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

/// Of the preconditioner of a second try: four times the first rank, as far as half the memory holds it.
Index higher_rank(Index points, Index rank, std::size_t scalar_bytes, double memory);

struct SolverInfo {
  SolverKind kind;
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
