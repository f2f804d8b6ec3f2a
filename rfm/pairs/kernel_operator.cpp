#include "rfm/pairs/kernel_operator.h"

#include "core/machine/parallel.h"
#include "rfm/pairs/stored_product.h"

namespace ansatz::rfm {
namespace {

constexpr Index kKernelRows = 64;

}  // namespace

template <class Scalar>
KernelOperator<Scalar>::KernelOperator(const Kernel& kernel, const PreparedPoints<Scalar>& points, Storage storage)
    : kernel_(kernel), points_(points) {
  if (storage == Storage::stored) k_ = kernel_values(kernel, points);
}

template <class Scalar>
Matrix<double> KernelOperator<Scalar>::multiply(const Matrix<Scalar>& v) const {
  return stored() ? multiply_stored(k_, v) : multiply_kernel(kernel_, points_, v);
}

template <class Scalar>
Matrix<double> KernelOperator<Scalar>::multiply_in_double(const Matrix<double>& v) const {
  return stored() ? multiply_stored(k_, v) : multiply_kernel(kernel_, points_, v);
}

template <class Scalar>
Matrix<Scalar> KernelOperator<Scalar>::columns(const std::vector<Index>& chosen) const {
  if (!stored()) return kernel_values(kernel_, points_, points_.rows(chosen));
  const Index s = static_cast<Index>(chosen.size());
  Matrix<Scalar> result(size(), s);  // K is read and the result is written along rows, which are contiguous
  parallel_tiles(size(), kKernelRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < s; ++j) result(i, j) = k_(i, chosen[static_cast<std::size_t>(j)]);
  });
  return result;
}

template <class Scalar>
Matrix<Scalar> KernelOperator<Scalar>::between(const std::vector<Index>& chosen) const {
  return kernel_values(kernel_, points_.rows(chosen));
}

template <class Scalar>
Matrix<Scalar> KernelOperator<Scalar>::between(const std::vector<Index>& rows,
                                               const std::vector<Index>& columns) const {
  if (!stored()) return kernel_values(kernel_, points_.rows(rows), points_.rows(columns));
  return k_(rows, columns);
}

template <class Scalar>
Matrix<Scalar> KernelOperator<Scalar>::rows(const std::vector<Index>& chosen) const {
  if (!stored()) return kernel_values(kernel_, points_.rows(chosen), points_);
  return k_(chosen, Eigen::all);
}

template <class Scalar>
Vector<Scalar> KernelOperator<Scalar>::diagonal() const {
  if (stored()) return k_.diagonal();
  Vector<Scalar> result(size());
  const PairFunction<Scalar> f(kernel_, points_, points_);
  parallel_tiles(size(), kKernelRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      result[i] = points_.points.row(i).squaredNorm();
      f.values(i, i, 1, i, &result[i]);
    }
  });
  return result;
}

template class KernelOperator<float>;
template class KernelOperator<double>;

}  // namespace ansatz::rfm
