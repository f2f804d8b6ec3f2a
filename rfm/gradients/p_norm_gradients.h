// Gradients of kernel machines whose kernel is of a p-norm, in the coordinates p = M^1/2 x.
#pragma once

#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// The gradients of f_c = sum_j alpha_jc K(., z_j) at the b rows of X. Row output * b + i of the result ((c b) x q)
/// holds that of `output` at x_i, whose coordinate k is
///   -sum_j alpha_jc W_ij |u_k|^(p-1) sign(u_k),  u = p_i - p'_j,  W = K q |u|_p^(q-p) / L^q
/// with W = 0 where u = 0, and |u_k|^(p-1) sign(u_k) = 0 where u_k = 0 (at the kink that p = 1 has there, 0 is the mean
/// of both sides). These are not of the form sum_j B_ij (x_j - x_i), so there is no Gram form. Takes b n q elementwise
/// steps, whatever c, and products of 2 b n q c flops. Holds W (b x n) and the result.
template <class Scalar>
Matrix<Scalar> p_norm_gradients(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z,
                                const Matrix<Scalar>& alpha);

/// How many rows of X to pass at once so that W and the result take about 64 MB each.
Index p_norm_gradient_rows(Index centers, Index width, Index outputs, std::size_t scalar_bytes);

}  // namespace ansatz::rfm
