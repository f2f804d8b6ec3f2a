// How alike two kernel matrices are, and a kernel matrix and the targets.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

/// <A, B> / (|A| |B|) over all entries of two matrices of one shape (Cristianini et al. 2001, where A and B are kernel
/// matrices): 1 for multiples of each other. 0 if one is 0. DataError for different shapes.
double alignment(const Matrix<double>& a, const Matrix<double>& b);

/// alignment(K, Y Y^T) of a kernel matrix (n x n) with the targets (n x c), without forming Y Y^T. DataError if n
/// differs.
double target_alignment(const Matrix<double>& kernel, const Matrix<double>& targets);

/// |A - B| / |B| in the Frobenius norm: how far A has moved from B. DataError for different shapes.
double relative_distance(const Matrix<double>& a, const Matrix<double>& b);

}  // namespace ansatz
