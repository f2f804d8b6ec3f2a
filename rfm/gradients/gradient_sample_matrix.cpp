#include "rfm/gradients/gradient_sample_matrix.h"

#include "core/machine/memory.h"
#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kCoefficientRows = 32;  // rows whose coefficient products stay in cache

/// If all centres are points, in order, so that A is symmetric: turns the upper triangle of A^2, which `sum` holds,
/// into that of S, row by row.
template <class Scalar>
void complete_all(const GradientWeights<Scalar>& w, const Matrix<Scalar>& g, Matrix<Scalar>& sum) {
  const Index n = g.rows(), c = g.cols();
  Matrix<Scalar> left(n, 2 * c), right(n, 2 * c);  // left right^T = g s^T + s g^T
  left << g, w.s;
  right << w.s, g;
  parallel_tiles(n, kCoefficientRows, [&](Index begin, Index end) {
    const Index rows = end - begin, rest = n - begin;
    const Matrix<Scalar> outer = g.middleRows(begin, rows) * g.bottomRows(rest).transpose();
    const Matrix<Scalar> mixed = left.middleRows(begin, rows) * right.bottomRows(rest).transpose();
    auto tile = sum.block(begin, begin, rows, rest).array();
    tile = tile * outer.array() + w.a.block(begin, begin, rows, rest).array() * mixed.array();
    for (Index i = begin; i < end; ++i) sum(i, i) += w.s.row(i).squaredNorm();
  });
}

/// The same for m points among the centres. What would fall below the diagonal is added at its mirror image above.
template <class Scalar>
void complete_chosen(const GradientWeights<Scalar>& w, const Matrix<Scalar>& g, const std::vector<Index>& points,
                     Matrix<Scalar>& sum) {
  const Index n = g.rows(), m = w.a.rows();
  const Matrix<Scalar> mixed = w.a.cwiseProduct(w.s * g.transpose());  // m x n: row i belongs to row points[i] of S
  parallel_tiles(n, kCoefficientRows, [&](Index begin, Index end) {
    const Index rows = end - begin, rest = n - begin;
    sum.block(begin, begin, rows, rest).array() *=
        (g.middleRows(begin, rows) * g.bottomRows(rest).transpose()).eval().array();
    for (Index i = 0; i < m; ++i) {
      const Index own = points[static_cast<std::size_t>(i)];
      for (Index j = begin; j < std::min(end, own); ++j) sum(j, own) += mixed(i, j);
      if (own < begin || own >= end) continue;
      sum.row(own).tail(n - own) += mixed.row(i).tail(n - own);
      sum(own, own) += mixed(i, own) + w.s.row(i).squaredNorm();
    }
  });
}

/// The n x c matrix whose column c is L_c^T 1.
template <class Scalar>
Matrix<Scalar> column_sums(const GradientWeights<Scalar>& w, const Matrix<Scalar>& g,
                           const std::vector<Index>& points) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(w.a.cols());
  for (Index i = 0; i < w.a.rows(); ++i) sums += w.a.row(i).transpose().template cast<double>();
  Matrix<Scalar> v = sums.template cast<Scalar>().asDiagonal() * g;
  for (Index i = 0; i < w.s.rows(); ++i) v.row(points.empty() ? i : points[static_cast<std::size_t>(i)]) += w.s.row(i);
  return v;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> gradient_sample_matrix(const GradientWeights<Scalar>& w, const Matrix<Scalar>& coefficients,
                                      const std::vector<Index>& points, bool center) {
  const Index n = coefficients.rows(), m = w.a.rows();
  Matrix<Scalar> sum = large_matrix<Scalar>(n, n);
  sum.setZero();
  auto upper = sum.template selfadjointView<Eigen::Upper>();
  upper.rankUpdate(w.a.transpose());
  if (points.empty())
    complete_all(w, coefficients, sum);
  else
    complete_chosen(w, coefficients, points, sum);
  if (center) upper.rankUpdate(column_sums(w, coefficients, points), Scalar(-1) / static_cast<Scalar>(m));
  mirror_upper(sum);
  return sum;
}

template Matrix<float> gradient_sample_matrix(const GradientWeights<float>&, const Matrix<float>&,
                                              const std::vector<Index>&, bool);
template Matrix<double> gradient_sample_matrix(const GradientWeights<double>&, const Matrix<double>&,
                                               const std::vector<Index>&, bool);

}  // namespace ansatz::rfm
