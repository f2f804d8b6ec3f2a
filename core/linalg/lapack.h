// What sources beyond linalg.cpp ask of LAPACK.
#pragma once

#include <lapacke.h>

#include "core/base/matrix.h"

namespace ansatz {

/// Cholesky of the symmetric n x n `a`, in place; 0 if it is positive definite. The upper triangle of a row-major
/// matrix is the lower one of the same memory read by columns, as LAPACK does.
inline int potrf(Index n, float* a) { return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, 'L', int(n), a, int(n)); }
inline int potrf(Index n, double* a) { return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', int(n), a, int(n)); }

}  // namespace ansatz
