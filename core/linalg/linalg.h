// Matrix functions that Eigen does not have: LAPACK's decompositions, symmetric products, sums in a fixed order.
#pragma once

#include <algorithm>

#include "core/base/matrix.h"

namespace ansatz {

/// k eigenpairs, eigenvalues descending. Row i of `vectors` (k x d) belongs to values[i], has unit length, and its
/// entry of largest magnitude is positive (so that pictures and files are reproducible).
template <class Scalar>
struct EigenPairs {
  Vector<Scalar> values;
  Matrix<Scalar> vectors;

  /// The first k of them (all, if there are fewer).
  EigenPairs first(Index k) const {
    k = std::min<Index>(k, values.size());
    return {values.head(k), vectors.topRows(k)};
  }
};

/// All eigenpairs of the symmetric `a` (d x d; the lower triangle is read), descending. LAPACK ?syevd.
/// Throws NumericalError if LAPACK does not converge or `a` is not finite.
template <class Scalar>
EigenPairs<Scalar> symmetric_eigenpairs(const Matrix<Scalar>& a);

/// The singular values of `a`, descending, min(rows, columns) of them. LAPACK dgesvd: absolute error about 1e-16 |a|.
/// Throws NumericalError if it does not converge or `a` is not finite.
Vector<double> singular_values(Matrix<double> a);

/// x = l q: l lower triangular (r x r), the rows of q (r x d) orthonormal, whatever the rank of x.
template <class Scalar>
struct LqFactors {
  Matrix<Scalar> l, q;
};

/// Decomposes x (r x d). LAPACK ?geqrf and ?orgqr on the transpose: 4 d r^2 flops. Throws std::invalid_argument if r >
/// d, NumericalError if an entry is not finite.
template <class Scalar>
LqFactors<Scalar> lq_decomposition(Matrix<Scalar> x);

/// Flips each row so that its entry of largest magnitude (the first of equals) is positive.
template <class Scalar>
void fix_signs(Matrix<Scalar>& rows);

/// Makes the rows (k x d, k <= d) orthonormal in order: each loses its part along the rows before it and is scaled to
/// length 1. A row that is dependent on them (to rounding) becomes a fixed pseudo-random direction orthogonal to all.
template <class Scalar>
void orthonormalize_rows(Matrix<Scalar>& rows);

/// Copies the upper triangle of the square `m` to the lower one.
template <class Scalar>
void mirror_upper(Matrix<Scalar>& m);

/// F^T F (d x d) of the r x d `f`; both triangles are filled. One symmetric product: r d^2 flops.
template <class Scalar>
Matrix<Scalar> column_gram(const MatrixView<Scalar>& f);

/// F F^T (r x r) of the r x d `f`; both triangles are filled.
template <class Scalar>
Matrix<Scalar> row_gram(const MatrixView<Scalar>& f);

/// F^T G (d x d) of two r x d matrices when the result is known to be symmetric: half the flops of the full product.
template <class Scalar>
Matrix<Scalar> symmetric_product(const MatrixView<Scalar>& f, const MatrixView<Scalar>& g);

/// Replaces the square `m` by (m + m^T)/2. Returns the largest |m - m^T| over the largest |m| (0 for a zero matrix).
template <class Scalar>
double make_symmetric(Matrix<Scalar>& m);

/// sum_ij a_ij b_ij, accumulated in double, in an order that does not depend on the number of threads.
template <class Scalar>
double entry_dot(const MatrixView<Scalar>& a, const MatrixView<Scalar>& b);

/// sum_ij a_ij, accumulated as entry_dot does.
template <class Scalar>
double entry_sum(const MatrixView<Scalar>& a);

}  // namespace ansatz
