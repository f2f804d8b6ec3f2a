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

}  // namespace ansatz
