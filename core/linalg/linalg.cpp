#include "core/linalg/linalg.h"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

constexpr Index kBlock = 64;       // square blocks of two triangles that fit the first-level cache
constexpr Index kSumRows = 64;     // rows of one partial sum
constexpr Index kOneThread = 256;  // eigenproblems up to here: some milliseconds, made of steps too short to share
constexpr Index kPanel = 512;      // rows of one panel of a symmetric product

lapack_int syevd(lapack_int n, float* a, float* w) { return LAPACKE_ssyevd(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, w); }
lapack_int syevd(lapack_int n, double* a, double* w) { return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, w); }
lapack_int geqrf(lapack_int m, lapack_int n, float* a, float* tau) {
  return LAPACKE_sgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau);
}
lapack_int geqrf(lapack_int m, lapack_int n, double* a, double* tau) {
  return LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau);
}
lapack_int orgqr(lapack_int m, lapack_int n, float* a, const float* tau) {
  return LAPACKE_sorgqr(LAPACK_COL_MAJOR, m, n, n, a, m, tau);
}
lapack_int orgqr(lapack_int m, lapack_int n, double* a, const double* tau) {
  return LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, a, m, tau);
}

// body(row begin, row end, column begin, column end) over the square blocks on and below the diagonal, all threads.
template <class Body>
void over_lower_blocks(Index n, const Body& body) {
  parallel_tiles(n, kBlock, [&](Index row, Index row_end) {
    for (Index column = 0; column < row_end; column += kBlock) body(row, row_end, column, std::min(n, column + kBlock));
  });
}

template <class Body>
double sum_over_rows(Index rows, const Body& sum_of_row) {
  std::vector<double> partial(static_cast<std::size_t>((rows + kSumRows - 1) / kSumRows), 0.0);
  parallel_tiles(rows, kSumRows, [&](Index begin, Index end) {
    double& sum = partial[static_cast<std::size_t>(begin / kSumRows)];
    for (Index i = begin; i < end; ++i) sum += sum_of_row(i);
  });
  double sum = 0;
  for (const double value : partial) sum += value;
  return sum;
}

}  // namespace

template <class Scalar>
EigenPairs<Scalar> symmetric_eigenpairs(const Matrix<Scalar>& a) {
  const Index n = a.rows();
  if (!a.allFinite()) throw NumericalError("eigen-decomposition: the matrix has entries that are not finite");
  // Our row-major lower triangle is LAPACK's column-major upper one; eigenvectors come back as columns, that is, our
  // rows.
  Matrix<Scalar> vectors = a;
  Vector<Scalar> values(n);
  const ThreadScope scope(n <= kOneThread ? 1 : threads());
  const lapack_int info = n == 0 ? 0 : syevd(static_cast<lapack_int>(n), vectors.data(), values.data());
  if (info != 0)
    throw NumericalError("eigen-decomposition did not converge (LAPACK syevd info " + std::to_string(info) + ")");
  EigenPairs<Scalar> pairs{values.reverse(), vectors.colwise().reverse()};
  fix_signs(pairs.vectors);
  return pairs;
}

Vector<double> singular_values(Matrix<double> a) {
  if (!a.allFinite()) throw NumericalError("singular values: the matrix has entries that are not finite");
  const auto rows = static_cast<lapack_int>(a.cols()),
             columns = static_cast<lapack_int>(a.rows());  // of a^T, column-major
  Vector<double> values(std::min(rows, columns)), unconverged(std::max<Index>(1, values.size()));
  if (values.size() == 0) return values;
  const lapack_int info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', rows, columns, a.data(), rows, values.data(),
                                         nullptr, 1, nullptr, 1, unconverged.data());
  if (info != 0)
    throw NumericalError("singular values did not converge (LAPACK dgesvd info " + std::to_string(info) + ")");
  return values;
}

template <class Scalar>
LqFactors<Scalar> lq_decomposition(Matrix<Scalar> x) {
  const Index r = x.rows(), d = x.cols();
  if (r > d) throw std::invalid_argument("lq_decomposition: more rows than columns");
  LqFactors<Scalar> factors{Matrix<Scalar>::Zero(r, r), {}};
  if (r == 0) return factors;
  Vector<Scalar> reflectors(r);  // row-major x is LAPACK's x^T = Q R
  const auto columns = static_cast<lapack_int>(r), rows = static_cast<lapack_int>(d);
  lapack_int info = geqrf(rows, columns, x.data(), reflectors.data());
  factors.l.template triangularView<Eigen::Lower>() = x.leftCols(r);
  if (info == 0) info = orgqr(rows, columns, x.data(), reflectors.data());
  if (info != 0)
    throw NumericalError("the QR decomposition of " + std::to_string(d) + " x " + std::to_string(r) +
                         " numbers failed (LAPACK: " + std::to_string(info) + "); they must be finite");
  factors.q = std::move(x);
  return factors;
}

template <class Scalar>
void fix_signs(Matrix<Scalar>& rows) {
  if (rows.cols() == 0) return;
  for (Index i = 0; i < rows.rows(); ++i) {
    Index largest = 0;
    rows.row(i).cwiseAbs().maxCoeff(&largest);
    if (rows(i, largest) < 0) rows.row(i) *= Scalar(-1);
  }
}

template <class Scalar>
void orthonormalize_rows(Matrix<Scalar>& rows) {
  if (rows.rows() > rows.cols()) throw std::logic_error("orthonormalize_rows: more rows than dimensions");
  RandomStream replacement = RandomStream(0).named("linalg/orthonormal completion");
  const double dependent = std::sqrt(epsilon<Scalar>());
  Matrix<double> done(rows.rows(), rows.cols());  // k x d with small k
  for (Index i = 0; i < rows.rows(); ++i) {
    Eigen::RowVectorXd v = rows.row(i).template cast<double>();
    double length = v.norm();
    for (bool accepted = false; !accepted;) {
      const double before = length;
      if (before > 0) v /= before;
      for (int pass = 0; pass < 2; ++pass)  // twice is enough
        v -= (v * done.topRows(i).transpose()).eval() * done.topRows(i);
      length = v.norm();
      accepted = before > 0 && length > dependent;
      if (!accepted) {
        v = replacement.normal_matrix<double>(1, rows.cols());
        length = v.norm();
      }
    }
    done.row(i) = v / length;
  }
  rows = done.cast<Scalar>();
}

template <class Scalar>
void mirror_upper(Matrix<Scalar>& m) {
  over_lower_blocks(m.rows(), [&](Index row, Index row_end, Index column, Index column_end) {
    if (column_end <= row) {
      m.block(row, column, row_end - row, column_end - column) =
          m.block(column, row, column_end - column, row_end - row).transpose();
      return;
    }
    for (Index i = row; i < row_end; ++i)
      for (Index j = column; j < i; ++j) m(i, j) = m(j, i);
  });
}

template <class Scalar>
Matrix<Scalar> column_gram(const MatrixView<Scalar>& f) {
  Matrix<Scalar> gram = Matrix<Scalar>::Zero(f.cols(), f.cols());
  gram.template selfadjointView<Eigen::Upper>().rankUpdate(f.transpose());
  mirror_upper(gram);
  return gram;
}

template <class Scalar>
Matrix<Scalar> row_gram(const MatrixView<Scalar>& f) {
  Matrix<Scalar> gram = Matrix<Scalar>::Zero(f.rows(), f.rows());
  gram.template selfadjointView<Eigen::Upper>().rankUpdate(f);
  mirror_upper(gram);
  return gram;
}

template <class Scalar>
Matrix<Scalar> symmetric_product(const MatrixView<Scalar>& f, const MatrixView<Scalar>& g) {
  const Index d = f.cols();
  Matrix<Scalar> product(d, d);
  for (Index row = 0; row < d; row += kPanel) {
    const Index count = std::min(kPanel, d - row);
    product.block(row, row, count, d - row).noalias() = f.middleCols(row, count).transpose() * g.rightCols(d - row);
  }
  mirror_upper(product);
  return product;
}

template <class Scalar>
double make_symmetric(Matrix<Scalar>& m) {
  if (m.size() == 0) return 0;
  std::vector<double> asymmetry(static_cast<std::size_t>((m.rows() + kBlock - 1) / kBlock), 0.0);
  const double largest = static_cast<double>(m.cwiseAbs().maxCoeff());
  over_lower_blocks(m.rows(), [&](Index row, Index row_end, Index column, Index column_end) {
    double& worst = asymmetry[static_cast<std::size_t>(row / kBlock)];
    for (Index i = row; i < row_end; ++i)
      for (Index j = column; j < std::min(column_end, i); ++j) {
        worst = std::max(worst, std::abs(static_cast<double>(m(i, j)) - static_cast<double>(m(j, i))));
        m(i, j) = m(j, i) = m(i, j) == m(j, i) ? m(i, j) : Scalar(0.5) * m(i, j) + Scalar(0.5) * m(j, i);
      }
  });
  return largest > 0 ? *std::max_element(asymmetry.begin(), asymmetry.end()) / largest : 0;
}

template <class Scalar>
double entry_dot(const MatrixView<Scalar>& a, const MatrixView<Scalar>& b) {
  return sum_over_rows(a.rows(), [&](Index i) {
    return a.row(i).template cast<double>().cwiseProduct(b.row(i).template cast<double>()).sum();
  });
}

template <class Scalar>
double entry_sum(const MatrixView<Scalar>& a) {
  return sum_over_rows(a.rows(), [&](Index i) { return a.row(i).template cast<double>().sum(); });
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                         \
  template LqFactors<Scalar> lq_decomposition(Matrix<Scalar>);                                             \
  template EigenPairs<Scalar> symmetric_eigenpairs(const Matrix<Scalar>&);                                 \
  template void mirror_upper(Matrix<Scalar>&);                                                             \
  template void fix_signs(Matrix<Scalar>&);                                                                \
  template void orthonormalize_rows(Matrix<Scalar>&);                                                      \
  template Matrix<Scalar> column_gram<Scalar>(const MatrixView<Scalar>&);                                  \
  template Matrix<Scalar> row_gram<Scalar>(const MatrixView<Scalar>&);                                     \
  template Matrix<Scalar> symmetric_product<Scalar>(const MatrixView<Scalar>&, const MatrixView<Scalar>&); \
  template double make_symmetric(Matrix<Scalar>&);                                                         \
  template double entry_dot<Scalar>(const MatrixView<Scalar>&, const MatrixView<Scalar>&);                 \
  template double entry_sum<Scalar>(const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
