#include "rfm/gaussian_process/gaussian_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/linalg/lapack.h"
#include "core/machine/memory.h"
#include "rfm/pairs/kernel_operator.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRows = 512;  // whose n x b array is held at once
constexpr double kLog2Pi = 1.83787706640934548356;
constexpr double kLeastCondition = 100;  // in units of epsilon: two digits of the least certain direction

void check(const PreparedPoints<double>& x, const Matrix<double>& y, double noise_variance) {
  if (!(noise_variance >= 0) || !std::isfinite(noise_variance))
    throw ConfigError(fmt::format("`ridge`: as the noise variance of a Gaussian process it must be 0 or more, is {:g}",
                                  noise_variance));
  if (x.size() == 0 || y.rows() != x.size())
    throw DataError(fmt::format("Gaussian process: {} rows of targets for {} inputs", y.rows(), x.size()));
  if (!y.allFinite()) throw NumericalError("Gaussian process: a target is not finite; look for missing values");
}

/// U with U^T U = k + noise I, in the upper triangle.
Matrix<double> factor_of(Matrix<double> k, double noise_variance) {
  const Index n = k.rows();
  k.diagonal().array() += noise_variance;
  const double norm = k.cwiseAbs().rowwise().sum().maxCoeff();
  const bool definite = potrf(n, k.data()) == 0;
  const double condition = definite ? reciprocal_condition(n, k.data(), norm) : 0;
  if (condition < kLeastCondition * epsilon<double>())
    throw NumericalError(fmt::format(
        "Gaussian process: the kernel matrix of {} inputs with the noise variance {:g} is singular to rounding "
        "(reciprocal condition number {:.1e}); use a larger `ridge`, or leave out inputs that repeat",
        n, noise_variance, condition));
  return k;
}

Vector<double> prior_variance(const Kernel& kernel, const PreparedPoints<double>& p) {
  return KernelOperator<double>(kernel, p, KernelOperator<double>::Storage::recomputed).diagonal();
}

}  // namespace

GaussianProcess::GaussianProcess(Kernel kernel, const FeatureMatrix<double>& metric, const MatrixView<double>& x,
                                 const Matrix<double>& y, double noise_variance)
    : kernel_(std::move(kernel)),
      coordinates_(kernel_, metric, x),
      points_(coordinates_.prepare(x)),
      noise_variance_(noise_variance) {
  check(points_, y, noise_variance);
  const double n = static_cast<double>(points_.size());
  require_memory(8 * n * n, fmt::format("the kernel matrix of a Gaussian process on {} inputs", points_.size()));
  factor_ = factor_of(kernel_values(kernel_, points_), noise_variance);
  const Matrix<double>& u = factor_;
  coefficients_ = u.triangularView<Eigen::Upper>().transpose().solve(y);
  fit_ = coefficients_.colwise().squaredNorm().transpose();
  u.triangularView<Eigen::Upper>().solveInPlace(coefficients_);
}

/// U^-T K(x, p), n x b.
Matrix<double> GaussianProcess::whitened(const PreparedPoints<double>& p) const {
  Matrix<double> k = kernel_values(kernel_, points_, p);
  factor_.triangularView<Eigen::Upper>().transpose().solveInPlace(k);
  return k;
}

GaussianPosterior GaussianProcess::posterior(const MatrixView<double>& x) const {
  GaussianPosterior result{Matrix<double>(x.rows(), outputs()), Vector<double>(x.rows()), Vector<double>(x.rows())};
  for (Index begin = 0; begin < x.rows(); begin += kRows) {
    const Index rows = std::min(kRows, x.rows() - begin);
    const PreparedPoints<double> p = coordinates_.prepare(x.middleRows(begin, rows));
    result.mean.middleRows(begin, rows) = multiply_kernel(kernel_, p, points_, coefficients_);
    result.variance.segment(begin, rows) = prior_variance(kernel_, p) - whitened(p).colwise().squaredNorm().transpose();
  }
  result.variance = result.variance.cwiseMax(0.0);
  result.target_variance = result.variance.array() + noise_variance_;
  return result;
}

Matrix<double> GaussianProcess::covariance(const MatrixView<double>& x) const {
  const PreparedPoints<double> p = coordinates_.prepare(x);
  const Matrix<double> explained = whitened(p);
  return kernel_values(kernel_, p) - explained.transpose() * explained;
}

Vector<double> GaussianProcess::log_marginal_likelihood() const {
  const double log_determinant = 2 * factor_.diagonal().array().log().sum();
  return -0.5 * (fit_.array() + log_determinant + static_cast<double>(size()) * kLog2Pi).matrix();
}

}  // namespace ansatz::rfm
