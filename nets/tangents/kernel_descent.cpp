#include "nets/tangents/kernel_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

/// The residuals as columns that the kernel acts on: one of n c entries, or c of n.
Matrix<double> columns_of(const Matrix<double>& residual, Index size) {
  const Index columns = residual.size() / std::max<Index>(size, 1);
  return Eigen::Map<const Matrix<double>>(residual.data(), size, columns);
}

void check_shapes(const Matrix<double>& kernel, const Matrix<double>& residual) {
  const Index n = residual.rows(), all = residual.size();
  if (all == 0 || kernel.rows() != kernel.cols() || (kernel.rows() != n && kernel.rows() != all))
    throw DataError("kernel descent: residuals " + std::to_string(n) + " x " + std::to_string(residual.cols()) +
                    " need a kernel of " + std::to_string(n) + " or " + std::to_string(all) +
                    " rows and columns, found " + std::to_string(kernel.rows()) + " x " +
                    std::to_string(kernel.cols()));
  if (!residual.allFinite()) throw NumericalError("kernel descent: residuals are not finite");
}

}  // namespace

KernelDescent::KernelDescent(const Matrix<double>& kernel, Matrix<double> residual) : residual_(std::move(residual)) {
  check_shapes(kernel, residual_);
  spectrum_ = symmetric_eigenpairs(kernel);
  // Rounding leaves eigenvalues a little below 0, along which nothing should grow.
  spectrum_.values = spectrum_.values.cwiseMax(0);
  rotated_ = spectrum_.vectors * columns_of(residual_, kernel.rows());
  per_term_ = 2 / static_cast<double>(residual_.size());
}

template <class Shrinkage>
Matrix<double> KernelDescent::coefficients(Shrinkage&& shrinkage) const {
  Matrix<double> shrunk = rotated_;
  for (Index i = 0; i < shrunk.rows(); ++i) shrunk.row(i) *= -per_term_ * shrinkage(per_term_ * spectrum_.values[i]);
  const Matrix<double> columns = spectrum_.vectors.transpose() * shrunk;
  return Eigen::Map<const Matrix<double>>(columns.data(), residual_.rows(), residual_.cols());
}

// The integral of exp(-h s) over s from 0 to t.
Matrix<double> KernelDescent::flow(double time) const {
  return coefficients([&](double h) { return h * time < 1e-8 ? time : -std::expm1(-h * time) / h; });
}

// rate * sum_{j < count} (1 - rate h)^j.
Matrix<double> KernelDescent::steps(Index count, double rate) const {
  const auto steps = static_cast<double>(count);
  return coefficients([&](double h) {
    if (h * rate * steps < 1e-8) return rate * steps;
    const double kept = 1 - rate * h;
    return (kept > 0 ? -std::expm1(steps * std::log1p(-rate * h)) : 1 - std::pow(kept, steps)) / h;
  });
}

Matrix<double> KernelDescent::limit() const {
  const double least =
      per_term_ * spectrum_.values[0] * static_cast<double>(rotated_.rows()) * std::numeric_limits<double>::epsilon();
  return coefficients([&](double h) { return h > least ? 1 / h : 0; });
}

double KernelDescent::largest_stable_rate() const { return 2 / (per_term_ * spectrum_.values[0]); }

}  // namespace ansatz::nets
