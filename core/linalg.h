// Matrix types and the one storage convention of the library: samples are rows, everything is row-major.
#pragma once

#include <Eigen/Core>

namespace ansatz {

using Index = Eigen::Index;

template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar>
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

namespace detail {
template <class Scalar>
struct ViewOf {
  using type = Eigen::Ref<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;
};
}  // namespace detail

/// A read-only matrix argument: binds to a Matrix, a Map or a block of rows without copying. Never deduces Scalar, so a
/// function template takes Scalar from its other arguments or from the caller.
template <class Scalar>
using MatrixView = typename detail::ViewOf<Scalar>::type;

/// k eigenpairs, eigenvalues descending. Row i of `vectors` (k x d) belongs to values[i], has unit length, and its
/// entry of largest magnitude is positive (so that pictures and files are reproducible).
template <class Scalar>
struct EigenPairs {
  Vector<Scalar> values;
  Matrix<Scalar> vectors;
};

/// All eigenpairs of the symmetric `a` (d x d; the lower triangle is read), descending. LAPACK ?syevd.
/// Throws NumericalError if LAPACK does not converge or `a` is not finite.
template <class Scalar>
EigenPairs<Scalar> symmetric_eigenpairs(const Matrix<Scalar>& a);

}  // namespace ansatz
