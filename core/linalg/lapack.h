// LAPACK functions that sources other than linalg.cpp use.
#pragma once

#include <lapacke.h>

#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Cholesky of the symmetric n x n `a`, in place; returns 0 if `a` is positive definite. LAPACK reads memory by
/// columns, so that its lower triangle is our row-major upper one.
inline int potrf(Index n, float* a) { return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', int(n), a, int(n)); }
inline int potrf(Index n, double* a) { return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', int(n), a, int(n)); }

/// The reciprocal of the condition number (in the 1-norm) of the n x n matrix that potrf() has factored into `a`, as
/// LAPACK estimates it; `norm` is that matrix's 1-norm.
inline double reciprocal_condition(Index n, const double* a, double norm) {
  std::vector<double> work(static_cast<std::size_t>(3 * n));
  std::vector<int> whole(static_cast<std::size_t>(n));
  double reciprocal = 0;
  LAPACKE_dpocon_work(LAPACK_COL_MAJOR, 'L', int(n), a, int(n), norm, &reciprocal, work.data(), whole.data());
  return reciprocal;
}

/// Inverts the upper triangle (as our matrices store it) of the n x n `a`, in place; returns 0 unless it is singular.
inline int trtri(Index n, double* a) { return LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', int(n), a, int(n)); }

}  // namespace ansatz
