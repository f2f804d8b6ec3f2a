// (K(X,X;M) + ridge I) alpha = Y.
#pragma once

#include <string>

#include "core/feature_matrix.h"
#include "core/linalg.h"
#include "rfm/kernels.h"

namespace ansatz::rfm {

enum class SolverKind { automatic, cholesky };  // pcg and eigenpro join here

struct SolverOptions {
  SolverKind kind = SolverKind::automatic;
  double ridge = 1e-3;  ///< absolute, added to the diagonal of K; >= 0
};

struct SolveSummary {
  std::string method;        ///< which rung of the ladder answered: "cholesky", "cholesky with jitter 1e-6", "ldlt", "eigen"
  std::string note;          ///< why it is not the first rung; empty otherwise
  double jitter = 0;         ///< what was added to the ridge
  double relative_residual = 0;  ///< |(K + ridge I) alpha - Y|_F / |Y|_F with the ridge as asked, measured
  double seconds = 0;
  double flops = 0;
};

template <class Scalar>
struct Solution {
  Matrix<Scalar> alpha;  ///< n x c
  SolveSummary summary;
};

/// Takes (kernel, M, X, Y), not a formed K, so that other solvers may tile or recompute. Cholesky in place on one triangle;
/// ladder on failure: jitter 10^-7..10^-4 (times mean diagonal; float64: 10^-14..), then LDL^T, then symmetric eigen-decomposition
/// with small eigenvalues dropped; each step logged. NumericalError if X, Y or the result is not finite.
template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options);

struct SolverInfo {
  std::string name, summary;
};
const std::vector<SolverInfo>& solver_table();

}  // namespace ansatz::rfm
