// What a kernel machine would have predicted at each of its rows without that row, without fitting it anew.
#pragma once

#include <vector>

#include "core/linalg/linalg.h"

namespace ansatz::rfm {

/// For each ridge the predictions (n x c) at row i of the machine that is fitted to all rows but i:
///   y_i - alpha_i / [(K + ridge I)^-1]_ii.
/// k: K(X, X), n x n, both triangles; y: n x c. All in double, whatever Scalar is: one Cholesky factor and its inverse
/// a ridge (2/3 n^3 flops), or one eigen-decomposition for all of them where that is cheaper. Throws DataError if
/// shapes differ, ConfigError on a negative ridge, NumericalError if Y is not finite or K + ridge I is singular to
/// rounding.
template <class Scalar>
std::vector<Matrix<double>> leave_one_out(const MatrixView<Scalar>& k, const MatrixView<Scalar>& y,
                                          const std::vector<double>& ridges);

/// The same for one ridge from all eigenpairs of K: 2 n^2 c flops.
Matrix<double> leave_one_out(const EigenPairs<double>& pairs, const Matrix<double>& y, double ridge);

/// From how many ridges on the eigen-decomposition is cheaper.
inline constexpr std::size_t kSpectralRidges = 20;

}  // namespace ansatz::rfm
