// (K(X,X;M) + ridge I) alpha = Y.
#pragma once

#include <string>

#include "core/feature_matrix.h"
#include "core/linalg.h"
#include "rfm/kernels.h"
#include "rfm/metric_coordinates.h"

namespace ansatz::rfm {

enum class SolverKind { automatic, cholesky };  // pcg and eigenpro join here

struct SolverOptions {
  SolverKind kind = SolverKind::automatic;  ///< automatic: cholesky
  double ridge = 1e-3;                      ///< absolute, added to the diagonal of K; >= 0
};

struct SolveSummary {
  std::string
      method;  ///< the rung of the ladder that answered: "cholesky", "cholesky with jitter 1e-06", "ldlt", "eigen"
  std::string note;     ///< why it is not the first rung; empty otherwise
  double jitter = 0;    ///< what was added to the ridge
  int refinements = 0;  ///< steps of iterative refinement that were kept
  double relative_residual =
      0;                      ///< |(K + ridge I) alpha - Y|_F / |Y|_F with the ridge as asked, measured in double sums
  double kernel_seconds = 0;  ///< forming K
  double seconds = 0;         ///< solving, residual included, K not
  double flops = 0;           ///< of the factorisation and the triangular solves
};

template <class Scalar>
struct Solution {
  Matrix<Scalar> alpha;   ///< n x c
  Matrix<Scalar> fitted;  ///< K alpha, the predictions at X: Y - residual - ridge alpha, n x c
  SolveSummary summary;
};

/// Takes (kernel, M, X, Y), not a formed K, so that other solvers may tile or recompute. x: n x d, y: n x c.
/// Throws ConfigError on a negative ridge, DataError if n differs, NumericalError if X, Y or the result is not finite.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options);
/// The same on points prepared already.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options);

/// The same for a formed K (n x n, symmetric, both triangles), which is overwritten. One triangle takes the factor; the
/// other keeps K for the residual (summed in double, block by block) and for iterative refinement. Ladder, each step
/// logged as a warning: Cholesky; Cholesky with jitter 1e-7 .. 1e-4 (float64: 1e-14 .. 1e-8) times the mean diagonal;
/// LDL^T; symmetric eigen-decomposition with eigenvalues below n epsilon of the largest dropped. A rung counts if its
/// alpha is finite, its residual is below that of alpha = 0 and, before the last jitter, rounding in predictions stays
/// below a tenth of the targets.
template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options);

struct SolverInfo {
  SolverKind kind;
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
