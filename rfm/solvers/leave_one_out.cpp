#include "rfm/solvers/leave_one_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/linalg/lapack.h"
#include "core/linalg/linalg.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {
namespace {

[[noreturn]] void refuse(Index n, double ridge) {
  throw NumericalError(fmt::format(
      "leave-one-out predictions: the kernel system of {} rows with ridge {:g} is singular to rounding; use "
      "a larger ridge",
      n, ridge));
}

/// (K + ridge I)^-1 Y and the diagonal of (K + ridge I)^-1.
struct Solved {
  Matrix<double> alpha;    // n x c
  Vector<double> inverse;  // n
};

/// From K + ridge I = U^T U: its inverse is U^-1 U^-T, whose diagonal holds the squared norms of U^-1's rows.
Solved by_cholesky(Matrix<double> k, const Matrix<double>& y, double ridge) {
  const Index n = k.rows();
  k.diagonal().array() += ridge;
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * k.diagonal().maxCoeff();
  if (potrf(n, k.data()) != 0 || !(k.diagonal().cwiseAbs2().minCoeff() > least)) refuse(n, ridge);
  if (trtri(n, k.data()) != 0) refuse(n, ridge);
  Solved result;
  result.inverse.resize(n);
  for (Index i = 0; i < n; ++i) result.inverse[i] = k.row(i).tail(n - i).squaredNorm();
  const Matrix<double> half = k.transpose().triangularView<Eigen::Lower>() * y;
  result.alpha = k.triangularView<Eigen::Upper>() * half;
  return result;
}

Solved by_spectrum(const EigenPairs<double>& pairs, const Matrix<double>& y, double ridge) {
  const Index n = pairs.values.size();
  const Vector<double> shifted = pairs.values.array() + ridge;
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * shifted.cwiseAbs().maxCoeff();
  if (!(shifted.minCoeff() > least)) refuse(n, ridge);
  const Vector<double> inverse = shifted.cwiseInverse();
  const Matrix<double> in_basis = inverse.asDiagonal() * (pairs.vectors * y);
  return {pairs.vectors.transpose() * in_basis, pairs.vectors.cwiseAbs2().transpose() * inverse};
}

Matrix<double> predictions(const Solved& solved, const Matrix<double>& y) {
  return y - solved.inverse.cwiseInverse().asDiagonal() * solved.alpha;
}

void require_ridge(double ridge) {
  SolverOptions options;
  options.ridge = ridge;
  validate(options);
}

}  // namespace

Matrix<double> leave_one_out(const EigenPairs<double>& pairs, const Matrix<double>& y, double ridge) {
  if (pairs.vectors.rows() != y.rows() || pairs.vectors.cols() != y.rows())
    throw DataError(
        fmt::format("leave-one-out predictions: {} eigenpairs of length {} and {} rows of targets do not fit",
                    pairs.vectors.rows(), pairs.vectors.cols(), y.rows()));
  require_finite_targets<double>(y);
  require_ridge(ridge);
  return predictions(by_spectrum(pairs, y, ridge), y);
}

template <class Scalar>
std::vector<Matrix<double>> leave_one_out(const MatrixView<Scalar>& k, const MatrixView<Scalar>& y,
                                          const std::vector<double>& ridges) {
  if (k.rows() != k.cols() || k.rows() != y.rows())
    throw DataError(fmt::format("leave-one-out predictions: a {} x {} kernel matrix and {} rows of targets do not fit",
                                k.rows(), k.cols(), y.rows()));
  require_finite_targets<Scalar>(y);
  for (const double ridge : ridges) require_ridge(ridge);
  const Matrix<double> kernel = k.template cast<double>(), targets = y.template cast<double>();
  std::vector<Matrix<double>> result;
  if (ridges.size() < kSpectralRidges) {
    for (const double ridge : ridges) result.push_back(predictions(by_cholesky(kernel, targets, ridge), targets));
    return result;
  }
  const EigenPairs<double> pairs = symmetric_eigenpairs<double>(kernel);
  for (const double ridge : ridges) result.push_back(predictions(by_spectrum(pairs, targets, ridge), targets));
  return result;
}

template std::vector<Matrix<double>> leave_one_out<float>(const MatrixView<float>&, const MatrixView<float>&,
                                                          const std::vector<double>&);
template std::vector<Matrix<double>> leave_one_out<double>(const MatrixView<double>&, const MatrixView<double>&,
                                                           const std::vector<double>&);

}  // namespace ansatz::rfm
