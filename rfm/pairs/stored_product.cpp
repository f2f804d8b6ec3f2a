#include "rfm/pairs/stored_product.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr int kLine = 8;               // columns of v that meet an entry of K at once: one or two vector registers
constexpr Index kStripes = 16;         // sums of their own; more would cost more than they save
constexpr Index kBlock = 64;           // rows of K
constexpr Index kBlockColumns = 1024;  // the lines of v and of the sums for these stay in cache for a block
constexpr Index kProductRows = 256, kProductColumns = 2048;

template <class T>
using Line = Eigen::Array<T, kLine, 1>;
/// A line for each row, of which the first c numbers are used.
template <class T>
using Lines = Eigen::Array<T, kLine, Eigen::Dynamic>;

/// Adds K_ij v_j to row i of `ahead` and, if `mirrored`, K_ij v_i to row j of `back`, for `Rows` rows from `i` and the
/// columns [begin, end). Written with pointers, which compilers keep in registers.
template <int Rows, bool mirrored, class Scalar, class T>
void multiply_rows(const Matrix<Scalar>& k, const Lines<T>& v, Index i, Index begin, Index end, Lines<T>& ahead,
                   Lines<T>& back) {
  Line<T> sums[Rows], factors[Rows];
  for (int r = 0; r < Rows; ++r) {
    sums[r].setZero();
    factors[r] = v.col(i + r);
  }
  const Index stride = k.cols(), count = end - begin;
  const Scalar* const entries = k.data() + i * stride + begin;
  const T* const lines = v.data() + begin * kLine;
  T* const mirrors = back.data();
  for (Index j = 0; j < count; ++j) {
    const Line<T> line = Eigen::Map<const Line<T>>(lines + j * kLine);
    Line<T> mirror;
    if (mirrored) mirror = Eigen::Map<const Line<T>>(mirrors + j * kLine);
    for (int r = 0; r < Rows; ++r) {
      const T entry = static_cast<T>(entries[r * stride + j]);
      sums[r] += entry * line;
      if (mirrored) mirror += entry * factors[r];
    }
    if (mirrored) Eigen::Map<Line<T>>(mirrors + j * kLine) = mirror;
  }
  for (int r = 0; r < Rows; ++r) ahead.col(r) = sums[r];
}

/// multiply_rows for a block of rows, added to `sum` (a line a row of K, in double).
template <bool mirrored, class Scalar, class T>
void multiply_block(const Matrix<Scalar>& k, const Lines<T>& v, Index row, Index rows, Index begin, Index end,
                    Lines<double>& sum) {
  constexpr int kRows = 4;
  Lines<T> ahead(kLine, kRows), back = Lines<T>::Zero(kLine, mirrored ? end - begin : 0);
  const Index whole = rows / kRows * kRows;
  for (Index i = row; i < row + whole; i += kRows) {
    multiply_rows<kRows, mirrored>(k, v, i, begin, end, ahead, back);
    sum.middleCols(i, kRows) += ahead.template cast<double>();
  }
  for (Index i = row + whole; i < row + rows; ++i) {
    multiply_rows<1, mirrored>(k, v, i, begin, end, ahead, back);
    sum.col(i) += ahead.col(0).template cast<double>();
  }
  if (mirrored) sum.middleCols(begin, end - begin) += back.template cast<double>();
}

/// For c <= kLine: every entry right of the diagonal blocks is read once and used twice.
template <class Scalar, class T>
Matrix<double> multiply_few(const Matrix<Scalar>& k, const Matrix<T>& v) {
  const Index n = k.rows(), c = v.cols(), blocks = (n + kBlock - 1) / kBlock, stripes = std::min(kStripes, blocks);
  Lines<T> lines = Lines<T>::Zero(kLine, n);
  lines.topRows(c) = v.transpose();
  std::vector<Lines<double>> sums(static_cast<std::size_t>(stripes));
  parallel_for(stripes, [&](Index stripe) {
    Lines<double> sum = Lines<double>::Zero(kLine, n);
    for (Index block = stripe; block < blocks; block += stripes) {
      const Index row = block * kBlock, rows = std::min(kBlock, n - row);
      multiply_block<false>(k, lines, row, rows, row, row + rows, sum);
      for (Index begin = row + rows; begin < n; begin += kBlockColumns)
        multiply_block<true>(k, lines, row, rows, begin, std::min(n, begin + kBlockColumns), sum);
    }
    sums[static_cast<std::size_t>(stripe)] = std::move(sum);
  });
  for (std::size_t i = 1; i < sums.size(); ++i) sums[0] += sums[i];
  return sums[0].topRows(c).transpose();
}

/// For one column or many: blocks of K by the library's products.
template <class Scalar, class T>
Matrix<double> multiply_by_library(const Matrix<Scalar>& k, const Matrix<T>& v) {
  const Index n = k.rows();
  const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> columns = v;
  Matrix<double> sum = Matrix<double>::Zero(n, v.cols());
  parallel_tiles(n, kProductRows, [&](Index begin, Index end) {
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> part(end - begin, v.cols());
    Matrix<T> converted;
    for (Index first = 0; first < n; first += kProductColumns) {
      const Index count = std::min(kProductColumns, n - first);
      const auto block = k.block(begin, first, end - begin, count);
      if constexpr (std::is_same_v<Scalar, T>) {
        part.noalias() = block * columns.middleRows(first, count);
      } else {
        converted = block.template cast<T>();
        part.noalias() = converted * columns.middleRows(first, count);
      }
      sum.middleRows(begin, end - begin) += part.template cast<double>();
    }
  });
  return sum;
}

}  // namespace

template <class Scalar, class Coefficient>
Matrix<double> multiply_stored(const Matrix<Scalar>& k, const Matrix<Coefficient>& v) {
  return v.cols() > 1 && v.cols() <= kLine ? multiply_few(k, v) : multiply_by_library(k, v);
}

template Matrix<double> multiply_stored(const Matrix<float>&, const Matrix<float>&);
template Matrix<double> multiply_stored(const Matrix<float>&, const Matrix<double>&);
template Matrix<double> multiply_stored(const Matrix<double>&, const Matrix<double>&);

}  // namespace ansatz::rfm
