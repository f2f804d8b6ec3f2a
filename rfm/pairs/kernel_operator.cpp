#include "rfm/pairs/kernel_operator.h"

#include <type_traits>

#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kKernelRows = 64,
                kKernelColumns = 2048;  // half a megabyte of K: it stays in cache while it meets every column of v
constexpr Index kManyOutputs = 8;       // from here on one matrix product is faster than a product a column,
constexpr Index kProductRows = 256;     // and faster still for blocks of more rows

/// The product of a block of K with the matching rows of v.
template <class Block, class Rows, class Part>
void multiply_block(const Block& k, const Rows& v, Part& product) {
  if (v.cols() >= kManyOutputs) {
    product.noalias() = k * v;
  } else {
    for (Index j = 0; j < v.cols(); ++j) product.col(j).noalias() = k * v.col(j);
  }
}

/// K v, reading K once; products in the type of v.
template <class Scalar, class Coefficient>
Matrix<double> multiply_stored(const Matrix<Scalar>& k, const Matrix<Coefficient>& v) {
  const Index n = k.rows(), c = v.cols();
  const Eigen::Matrix<Coefficient, Eigen::Dynamic, Eigen::Dynamic> columns = v;
  Matrix<double> sum = Matrix<double>::Zero(n, c);
  parallel_tiles(n, c >= kManyOutputs ? kProductRows : kKernelRows, [&](Index begin, Index end) {
    Eigen::Matrix<Coefficient, Eigen::Dynamic, Eigen::Dynamic> part(end - begin, c);
    Matrix<Coefficient> converted;
    for (Index first = 0; first < n; first += kKernelColumns) {
      const Index count = std::min(kKernelColumns, n - first);
      const auto block = k.block(begin, first, end - begin, count);
      if constexpr (std::is_same_v<Scalar, Coefficient>) {
        multiply_block(block, columns.middleRows(first, count), part);
      } else {
        converted = block.template cast<Coefficient>();
        multiply_block(converted, columns.middleRows(first, count), part);
      }
      sum.middleRows(begin, end - begin) += part.template cast<double>();
    }
  });
  return sum;
}

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
