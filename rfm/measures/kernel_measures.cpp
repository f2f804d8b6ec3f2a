#include "rfm/measures/kernel_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "rfm/solvers/leave_one_out.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {
namespace {

/// From tr(K Y Y^T), |K|^2 and Y.
double cosine(double product, double kernel_square, const Matrix<double>& y) {
  const double size = std::sqrt(std::max(kernel_square, 0.0)) * (y.transpose() * y).norm();
  return size > 0 ? product / size : 0;
}

}  // namespace

KernelMeasures::KernelMeasures(const Matrix<double>& kernel, const Matrix<double>& targets) : targets_(targets) {
  if (kernel.rows() != kernel.cols() || kernel.rows() != targets.rows() || kernel.rows() == 0)
    throw DataError(fmt::format("kernel measures: a {} x {} kernel matrix and {} rows of targets do not fit",
                                kernel.rows(), kernel.cols(), targets.rows()));
  require_finite_targets<double>(targets);
  pairs_ = symmetric_eigenpairs<double>(kernel);
  const double rounding =
      static_cast<double>(kernel.rows()) * std::numeric_limits<double>::epsilon() * std::abs(pairs_.values[0]);
  const double least = pairs_.values[pairs_.values.size() - 1];
  if (least < -10 * rounding)
    throw NumericalError(fmt::format(
        "kernel measures: the kernel matrix has a negative eigenvalue ({:.3g}, the largest is {:.3g}); computed in "
        "float32 it is none of a kernel to that accuracy: use precision: float64",
        least, pairs_.values[0]));
  pairs_.values = pairs_.values.cwiseMax(0.0);
  components_ = pairs_.vectors * targets_;
}

Vector<double> KernelMeasures::target_shares() const {
  const double total = targets_.squaredNorm();
  if (total == 0) return Vector<double>::Zero(targets_.rows());
  return components_.rowwise().squaredNorm() / total;
}

double KernelMeasures::target_alignment() const {
  const double product = pairs_.values.dot(components_.rowwise().squaredNorm());
  return cosine(product, pairs_.values.squaredNorm(), targets_);
}

/// With K 1 = U^T (l o U 1): |H K H|^2 = |K|^2 - 2 |K 1|^2 / n + (1^T K 1)^2 / n^2.
double KernelMeasures::centered_target_alignment() const {
  const double n = static_cast<double>(targets_.rows());
  const Matrix<double> centered = targets_.rowwise() - targets_.colwise().mean();
  const Matrix<double> components = pairs_.vectors * centered;
  const Vector<double> ones = pairs_.vectors.rowwise().sum();
  const double of_ones = pairs_.values.cwiseProduct(ones).squaredNorm();
  const double sum = pairs_.values.dot(ones.cwiseAbs2());
  const double square = pairs_.values.squaredNorm() - 2 * of_ones / n + sum * sum / (n * n);
  const double rounding = n * std::numeric_limits<double>::epsilon();
  const bool constant = square <= rounding * pairs_.values.squaredNorm() ||
                        centered.squaredNorm() <= rounding * rounding * targets_.squaredNorm();
  return constant ? 0 : cosine(pairs_.values.dot(components.rowwise().squaredNorm()), square, centered);
}

double KernelMeasures::effective_rank() const {
  const double sum = pairs_.values.sum(), squares = pairs_.values.squaredNorm();
  return squares > 0 ? sum * sum / squares : 0;
}

RidgeMeasures KernelMeasures::at(double ridge) const {
  const Matrix<double> out = leave_one_out(ridge);  // checks the ridge
  const double n = static_cast<double>(targets_.rows()), entries = static_cast<double>(targets_.size());
  const Vector<double> inverse = (pairs_.values.array() + ridge).inverse();
  const Vector<double> squares = components_.rowwise().squaredNorm();
  RidgeMeasures m;
  m.ridge = ridge;
  m.degrees_of_freedom = pairs_.values.dot(inverse);
  m.mean_inverse = inverse.sum() / n;
  m.target_norm = inverse.dot(squares) / n;
  m.training_error = ridge * ridge * inverse.cwiseAbs2().dot(squares) / entries;
  m.leave_one_out_error = (out - targets_).squaredNorm() / entries;
  // (training error) / (1 - tr H / n)^2 without ridge^2, by which both are divided: it also holds for ridge 0.
  m.generalized_cross_validation = inverse.cwiseAbs2().dot(squares) / entries / (m.mean_inverse * m.mean_inverse);
  return m;
}

Matrix<double> KernelMeasures::leave_one_out(double ridge) const { return rfm::leave_one_out(pairs_, targets_, ridge); }

}  // namespace ansatz::rfm
