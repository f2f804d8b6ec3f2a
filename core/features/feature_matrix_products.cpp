// Inner products of feature matrices in every pair of forms.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/features/feature_matrix.h"

namespace ansatz {
namespace {

constexpr Index kTileEntries = Index{1} << 22;  // of one tile of rows: 32 MB in double
constexpr Index kLongestSum = 2048;             // terms that float32 products add before the sum moves to double

Index tile_rows(Index columns) { return std::max<Index>(16, kTileEntries / std::max<Index>(1, columns)); }

template <class Scalar>
void require_same_dimension(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b) {
  if (a.dimension() != b.dimension())
    throw DataError(fmt::format("feature matrices of different input dimensions ({} and {}) cannot be compared",
                                a.dimension(), b.dimension()));
}

// C F restricted to some rows; F itself where C = I.
template <class Scalar>
Matrix<Scalar> core_times(const FeatureMatrix<Scalar>& m, Index row, Index count, const Matrix<Scalar>& right) {
  if (m.core_is_identity()) return right.middleRows(row, count);
  return m.core().middleRows(row, count) * right;
}

// A B^T for a tile of rows a of A (t x d) and B (r x d), in double: t x r.
template <class Scalar>
Matrix<double> cross_product(const MatrixView<Scalar>& a, const Matrix<Scalar>& b) {
  Matrix<double> product = Matrix<double>::Zero(a.rows(), b.rows());
  for (Index column = 0; column < a.cols(); column += kLongestSum) {
    const Index count = std::min(kLongestSum, a.cols() - column);
    const Matrix<Scalar> part = a.middleCols(column, count) * b.middleCols(column, count).transpose();
    product += part.template cast<double>();
  }
  return product;
}

// <A, F^T C F> = <C F, F A> row tile by row tile: 2 r d^2 + 2 r^2 d flops, temporaries t x d.
template <class Scalar>
double dense_with_sandwich(const Matrix<Scalar>& a, const FeatureMatrix<Scalar>& s) {
  const Matrix<Scalar>& f = s.factor();
  double sum = 0;
  const Index tile = tile_rows(f.cols());
  for (Index row = 0; row < f.rows(); row += tile) {
    const Index count = std::min(tile, f.rows() - row);
    const Matrix<Scalar> left = core_times(s, row, count, f);
    const Matrix<Scalar> right = f.middleRows(row, count) * a;
    sum += entry_dot<Scalar>(left, right);
  }
  return sum;
}

// <F1^T F1, F2^T C2 F2> = <P, P C2> with P = F1 F2^T, row tile by row tile: P is never whole.
template <class Scalar>
double identity_with_sandwich(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b) {
  double sum = 0;
  const Matrix<Scalar>&f = a.factor(), &g = b.factor();
  const Index tile = tile_rows(g.rows());
  for (Index row = 0; row < f.rows(); row += tile) {
    const Matrix<double> p = cross_product<Scalar>(f.middleRows(row, std::min(tile, f.rows() - row)), g);
    if (b.core_is_identity()) {
      sum += entry_dot<double>(p, p);
    } else {
      const Matrix<Scalar> rounded = p.template cast<Scalar>();
      const Matrix<Scalar> product = rounded * b.core();
      sum += entry_dot<double>(p, product.template cast<double>());
    }
  }
  return sum;
}

// tr(C1 P C2 P^T) = <C1 P, P C2>: P (r1 x r2) is held once, the two products tile by tile.
template <class Scalar>
double sandwich_with_sandwich(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b) {
  if (a.core_is_identity()) return identity_with_sandwich(a, b);
  if (b.core_is_identity()) return identity_with_sandwich(b, a);
  const Matrix<Scalar>&f = a.factor(), &g = b.factor();
  const Index tile = tile_rows(g.rows());
  Matrix<Scalar> p(f.rows(), g.rows());
  for (Index row = 0; row < f.rows(); row += tile) {
    const Index count = std::min(tile, f.rows() - row);
    p.middleRows(row, count) = cross_product<Scalar>(f.middleRows(row, count), g).template cast<Scalar>();
  }
  double sum = 0;
  for (Index row = 0; row < f.rows(); row += tile) {
    const Index count = std::min(tile, f.rows() - row);
    const Matrix<Scalar> left = core_times(a, row, count, p);
    const Matrix<Scalar> right = p.middleRows(row, count) * b.core();
    sum += entry_dot<Scalar>(left, right);
  }
  return sum;
}

template <class Scalar>
double flops_to_densify(const FeatureMatrix<Scalar>& m) {
  const auto r = double(m.factor().rows()), d = double(m.dimension());
  return r * d * d + (m.core_is_identity() ? 0 : 2 * r * r * d);
}

template <class Scalar>
bool cheaper_dense(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b) {
  const auto r = double(a.factor().rows()), s = double(b.factor().rows()), d = double(a.dimension());
  const double as_sandwiches = 2 * r * s * (d + (a.core_is_identity() ? 0 : r) + (b.core_is_identity() ? 0 : s));
  return a.dimension() <= kDenseLimit && flops_to_densify(a) + flops_to_densify(b) < as_sandwiches;
}

}  // namespace

template <class Scalar>
double FeatureMatrix<Scalar>::inner_product(const FeatureMatrix& other) const {
  require_same_dimension(*this, other);
  if (d_ == 0) return 0;
  if (form_ == Form::diagonal || other.form_ == Form::diagonal) return diagonal_inner_product(other);
  if (form_ == Form::dense && other.form_ == Form::dense) return entry_dot<Scalar>(*matrix_, *other.matrix_);
  if (form_ == Form::dense) return dense_with_sandwich(*matrix_, other);
  if (other.form_ == Form::dense) return dense_with_sandwich(*other.matrix_, *this);
  if (cheaper_dense(*this, other)) return entry_dot<Scalar>(to_dense(), other.to_dense());
  return sandwich_with_sandwich(*this, other);
}

template <class Scalar>
double FeatureMatrix<Scalar>::diagonal_inner_product(const FeatureMatrix& other) const {
  require_same_dimension(*this, other);
  return diagonal_in_double().dot(other.diagonal_in_double());
}

template double FeatureMatrix<float>::inner_product(const FeatureMatrix&) const;
template double FeatureMatrix<double>::inner_product(const FeatureMatrix&) const;
template double FeatureMatrix<float>::diagonal_inner_product(const FeatureMatrix&) const;
template double FeatureMatrix<double>::diagonal_inner_product(const FeatureMatrix&) const;

}  // namespace ansatz
