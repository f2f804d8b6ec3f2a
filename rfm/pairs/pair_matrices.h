// Kernel matrices and gradient weights of whole sets of prepared points: one product, one fused pass.
#pragma once

#include <vector>

#include "rfm/pairs/pair_function.h"

namespace ansatz::rfm {

/// K(X, Z), b x n.
template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z);
/// K(X, X), n x n: one triangle's tiles computed and mirrored.
template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x);

/// What the values start from, b x n: the inner products of points, or their sums of powers under a p-norm. As
/// PreparedPoints::products they make the same values, to the bit.
template <class Scalar>
Matrix<Scalar> coordinate_sums(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z);
/// For X with itself, n x n.
template <class Scalar>
Matrix<Scalar> coordinate_sums(const Kernel& kernel, const PreparedPoints<Scalar>& x);

/// K(X, X) g (n x c) without storing K: each tile is computed, used twice and dropped. Products in the type of g, sums
/// of tiles in double.
template <class Scalar, class Coefficient>
Matrix<double> multiply_kernel(const Kernel& kernel, const PreparedPoints<Scalar>& x, const Matrix<Coefficient>& g);

/// K(X, Z) g (b x c) in the same way; g: n x c.
template <class Scalar>
Matrix<double> multiply_kernel(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z,
                               const Matrix<Scalar>& g);

/// K g (b x c) for a K (b x n) that is stored, to the bit as multiply_kernel() gives it.
template <class Scalar>
Matrix<double> multiply_values(const Matrix<Scalar>& k, const Matrix<Scalar>& g);

/// |x_i - x_j|^2_M, or the square of the p-norm distance; n x n, both triangles. `kernel` must be radial.
template <class Scalar>
Matrix<Scalar> squared_distances(const Kernel& kernel, const PreparedPoints<Scalar>& x);

/// What the gradients of f_c = sum_j alpha_jc K(., z_j) at the rows of X follow from, for all kernels but those of a
/// p-norm. With the coefficients g = c_z alpha (see PairFunction),
///   grad f_c(x_i) = lift( sum_j a_ij g_jc p'_j + s_ic p_i ).
template <class Scalar>
struct GradientWeights {
  Matrix<Scalar> a;  ///< b x n
  Matrix<Scalar> s;  ///< b x c: sum_j D_ij g_jc
};

/// c_z alpha (n x c): alpha itself for radial kernels, its rows times |z_j|_M, or gradient_length(|z_j|_M), for
/// dot-product kernels.
template <class Scalar>
Matrix<Scalar> gradient_coefficients(const Kernel& kernel, const PreparedPoints<Scalar>& z,
                                     const Matrix<Scalar>& alpha);

/// `self[i]` is the row of Z that is x_i itself; an empty list if that is not known.
template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const PreparedPoints<Scalar>& z, const std::vector<Index>& self,
                                         const Matrix<Scalar>& coefficients);
/// The same where Z = X, with half the work if D is symmetric.
template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const Matrix<Scalar>& coefficients);

}  // namespace ansatz::rfm
