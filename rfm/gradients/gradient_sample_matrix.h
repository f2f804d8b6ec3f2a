// The gradients of a kernel machine as one symmetric matrix over its centres (docs/engine.md, form `gram`).
#pragma once

#include <vector>

#include "rfm/pairs/pair_matrices.h"

namespace ansatz::rfm {

/// S = sum_c L_c^T L_c (n x n, both triangles), where the rows of L_c P are the gradients of output c at m of the n
/// centres P. L_c = A diag(g_c) + diag(s_c) E, where the m x n matrix E picks the m points from the centres. Then
///   S = (A^T A) o sum_c g_c g_c^T + W + W^T + E^T diag(sum_c s_c^2) E,   W = (A^T o sum_c g_c s_c^T) E,
/// which takes one symmetric product of m n^2 flops, whatever c and d. `center` subtracts
/// (1/m) sum_c (L_c^T 1)(L_c^T 1)^T, the share of each output's mean gradient over the m points.
/// - w: A (m x n) and s (m x c).
/// - coefficients: g (n x c).
/// - points: the m rows of P, or empty for all of them in order.
template <class Scalar>
Matrix<Scalar> gradient_sample_matrix(const GradientWeights<Scalar>& w, const Matrix<Scalar>& coefficients,
                                      const std::vector<Index>& points, bool center);

}  // namespace ansatz::rfm
