#include "rfm/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/error.h"
#include "rfm/metric_coordinates.h"
#include "rfm/pair_matrices.h"

namespace ansatz::rfm {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

const KernelInfo& info(KernelFamily family) {
  for (const KernelInfo& row : kernel_table())
    if (row.family == family) return row;
  throw std::logic_error("kernel family not in the table");
}

void validate(const KernelSpec& spec) {
  const auto fail = [](const std::string& field, const std::string& rule, double value) {
    throw ConfigError("kernel: " + field + " must be " + rule + ", is " + number(value));
  };
  if (!(spec.bandwidth > 0) || !std::isfinite(spec.bandwidth)) fail("bandwidth", "positive and finite", spec.bandwidth);
  if (!(spec.exponent > 0 && spec.exponent <= 2)) fail("exponent", "in (0, 2]", spec.exponent);
  if (spec.family == KernelFamily::lpq_laplace) {
    if (!(spec.norm >= 1 && spec.norm <= 2)) fail("norm", "in [1, 2]", spec.norm);
    if (spec.exponent > spec.norm) fail("exponent", "at most norm = " + number(spec.norm), spec.exponent);
  }
  if (spec.depth < 1) fail("depth", "at least 1", static_cast<double>(spec.depth));
}

/// Median of the n(n-1)/2 off-diagonal distances (the mean of the middle two if their number is even).
template <class Scalar>
double median_distance(const Kernel& kernel, const PreparedPoints<Scalar>& points) {
  const Matrix<Scalar> squares = squared_distances(kernel, points);
  const Index n = points.size();
  std::vector<Scalar> values;
  values.reserve(static_cast<std::size_t>(n * (n - 1) / 2));
  for (Index i = 0; i < n; ++i) values.insert(values.end(), &squares(i, 0), &squares(i, 0) + i);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const double upper = points.unit * std::sqrt(static_cast<double>(*middle));
  if (values.size() % 2 == 1) return upper;
  const double lower = points.unit * std::sqrt(static_cast<double>(*std::max_element(values.begin(), middle)));
  return (upper + lower) / 2;
}

}  // namespace

const std::vector<KernelInfo>& kernel_table() {
  static const std::vector<KernelInfo> table = {
      {KernelFamily::laplace, "laplace", "exp(-|x-z|_M / L)"},
      {KernelFamily::gaussian, "gaussian", "exp(-|x-z|_M^2 / (2 L^2))"},
      {KernelFamily::generalized_laplace, "generalized_laplace", "exp(-(|x-z|_M / L)^gamma), 0 < gamma <= 2"},
      {KernelFamily::lpq_laplace, "lpq_laplace",
       "exp(-|M^1/2 (x-z)|_p^q / L^q), p = norm in [1, 2], 0 < q = exponent <= p"},
      {KernelFamily::product_laplace, "product_laplace", "exp(-|M^1/2 (x-z)|_1 / L)"},
      {KernelFamily::nngp, "nngp",
       "Sigma_depth; Sigma_0 = <x,z>_M, Sigma <- |x||z| k1(u), u = Sigma / (|x||z|), k1(u) = (u (pi - acos u) + "
       "sqrt(1 - u^2)) / pi: a bias-free ReLU network of `depth` hidden layers, He scaling"},
      {KernelFamily::ntk, "ntk",
       "Theta_depth; Theta_0 = <x,z>_M, Theta <- Theta k0(u) + Sigma, k0(u) = (pi - acos u) / pi, Sigma and u as for "
       "nngp"},
  };
  return table;
}

const std::string& name_of(KernelFamily family) { return info(family).name; }

Kernel Kernel::make(const KernelSpec& spec) {
  validate(spec);
  Kernel kernel;
  kernel.spec_ = spec;
  kernel.bandwidth_ = spec.bandwidth;
  if (spec.family == KernelFamily::product_laplace) kernel.spec_.norm = kernel.spec_.exponent = 1;
  return kernel;
}

template <class Scalar>
Kernel Kernel::make(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                    const RandomStream& stream) {
  Kernel kernel = make(spec);
  if (spec.bandwidth_mode == BandwidthMode::constant || !kernel.radial()) return kernel;
  RandomStream rows = stream;
  const Matrix<Scalar> sample = x(rows.sample(x.rows(), kBandwidthRows), Eigen::all);
  if (sample.rows() < 2)
    throw NumericalError("adaptive bandwidth: needs at least two rows; use bandwidth_mode: constant");
  const MetricCoordinates<Scalar> coordinates(kernel, metric, sample);
  const double median = median_distance(kernel, coordinates.prepare(sample));
  if (!(median > 0) || !std::isfinite(median))
    throw NumericalError("adaptive bandwidth: the median distance between rows is " + number(median) +
                         "; use bandwidth_mode: constant");
  kernel.bandwidth_ = spec.bandwidth * median;
  return kernel;
}

bool Kernel::radial() const { return spec_.family != KernelFamily::nngp && spec_.family != KernelFamily::ntk; }

bool Kernel::p_norm() const {
  return spec_.family == KernelFamily::lpq_laplace || spec_.family == KernelFamily::product_laplace;
}

std::string Kernel::describe() const {
  const KernelInfo& row = info(spec_.family);
  std::string text = row.name;
  if (radial()) {
    text += ", L = " + number(bandwidth_);
    if (spec_.bandwidth_mode == BandwidthMode::adaptive)
      text += " (adaptive, " + number(spec_.bandwidth) + " x median)";
    if (spec_.family == KernelFamily::generalized_laplace) text += ", gamma = " + number(spec_.exponent);
    if (spec_.family == KernelFamily::lpq_laplace)
      text += ", p = " + number(spec_.norm) + ", q = " + number(spec_.exponent);
  } else {
    return text + " of a ReLU network, depth " +
           std::to_string(spec_.depth);  // the recursion is a line of its own in kernel_table
  }
  return text + ": " + row.formula;
}

template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                             const MatrixView<Scalar>& z) {
  const MetricCoordinates<Scalar> coordinates(kernel, metric, z);
  return kernel_values(kernel, coordinates.prepare(x), coordinates.prepare(z));
}

template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x) {
  const MetricCoordinates<Scalar> coordinates(kernel, metric, x);
  return kernel_values(kernel, coordinates.prepare(x));
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                              \
  template Kernel Kernel::make(const KernelSpec&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&,      \
                               const RandomStream&);                                                            \
  template Matrix<Scalar> kernel_matrix(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&, \
                                        const MatrixView<Scalar>&);                                             \
  template Matrix<Scalar> kernel_matrix(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
