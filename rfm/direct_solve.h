// (K + ridge I) alpha = Y by factorisation, with a ladder of remedies.
#pragma once

#include "rfm/solution.h"

namespace ansatz::rfm {

/// Solves for a formed K (n x n, symmetric, both triangles), which is overwritten. One triangle takes the factor; the
/// other keeps K for the residual (summed in double, block by block) and for iterative refinement. Ladder, each step
/// logged as a warning: Cholesky; Cholesky with jitter 1e-7 .. 1e-4 (float64: 1e-14 .. 1e-8) times the mean diagonal;
/// LDL^T; symmetric eigen-decomposition with eigenvalues below n epsilon of the largest dropped. A rung counts if its
/// alpha is finite, its residual is below that of alpha = 0 and, before the last jitter, rounding in predictions stays
/// below a tenth of the targets.
/// ConfigError on a negative ridge, DataError if n differs, NumericalError if Y or the result is not finite.
template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options);

}  // namespace ansatz::rfm
