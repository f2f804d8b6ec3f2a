// Gradients of kernel machines whose kernel is of a p-norm, in the coordinates p = M^1/2 x.
#pragma once

#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// At the rows of X (b of them), of f_c = sum_j alpha_jc K(., z_j), row output * b + i of the result ((c b) x q):
///   -sum_j alpha_jc W_ij |u_k|^(p-1) sign(u_k),  u = p_i - p'_j,  W = K q |u|_p^(q-p) / L^q
/// with W = 0 where u = 0, and |u_k|^(p-1) sign(u_k) = 0 where u_k = 0 (for p = 1 a kink: the mean of both sides).
/// These are not of the form sum_j B_ij (x_j - x_i), so there is no Gram form. b n q elementwise steps, whatever c, and
/// products of 2 b n q c flops; holds W (b x n) and the result.
template <class Scalar>
Matrix<Scalar> p_norm_gradients(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z,
                                const Matrix<Scalar>& alpha);

/// Rows of X at once that keep W and the result near 64 MB each.
Index p_norm_gradient_rows(Index centers, Index width, Index outputs, std::size_t scalar_bytes);

}  // namespace ansatz::rfm
