// What a kernel system's solvers take and give.
#pragma once

#include <string>

#include "core/linalg.h"

namespace ansatz::rfm {

enum class SolverKind { automatic, cholesky, pcg };

struct SolverOptions {
  SolverKind kind = SolverKind::automatic;
  double ridge = 1e-3;  ///< absolute, added to the diagonal of K; >= 0

  // Iterative solvers.
  double tolerance = 1e-5;  ///< done when |(K + ridge I) alpha - Y| <= tolerance |Y| in every column
  Index max_iterations = 500;
  Index preconditioner_rank = 0;  ///< columns of K in the Nystrom preconditioner; 0: by n
};

struct SolveSummary {
  /// What answered: "cholesky", "cholesky with jitter 1e-06", "ldlt", "eigen", "pcg, K in memory", "pcg, K recomputed".
  std::string method;
  std::string note;      ///< why it is not what was tried first; empty otherwise
  double jitter = 0;     ///< what was added to the ridge
  int refinements = 0;   ///< steps of iterative refinement that were kept
  Index iterations = 0;  ///< of an iterative solver
  Index preconditioner_rank = 0;
  std::string stopped;  ///< why an iterative solver stopped
  /// |(K + ridge I) alpha - Y|_F / |Y|_F with the ridge as asked, measured in double sums
  double relative_residual = 0;
  double kernel_seconds = 0;  ///< forming K
  double seconds = 0;         ///< solving, residual included, K not
  double flops = 0;           ///< of the factorisation and the triangular solves, or of the products with K
};

/// ConfigError on a ridge that is negative or not finite, or another option out of range.
void validate(const SolverOptions& options);

template <class Scalar>
struct Solution {
  Matrix<Scalar> alpha;   ///< n x c
  Matrix<Scalar> fitted;  ///< K alpha, the predictions at X: Y - residual - ridge alpha, n x c
  SolveSummary summary;
};

}  // namespace ansatz::rfm
