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

Kernel Kernel::make(const KernelSpec& spec) {
  validate(spec);
  Kernel kernel;
  kernel.spec_ = spec;
  kernel.bandwidth_ = spec.bandwidth;
  with_family(spec.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::p_norm) {
      kernel.spec_.norm = Row::norm(spec);
      kernel.spec_.exponent = Row::exponent(spec);
    }
  });
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

std::string Kernel::describe() const {
  const KernelInfo& info = info_of(spec_.family);
  std::string text = info.name;
  for (const KernelParameter& parameter : info.parameters) {
    const bool is_bandwidth = parameter.key == std::string(kBandwidth.key);
    text +=
        std::string(", ") + parameter.symbol + " = " + number(is_bandwidth ? bandwidth_ : value_of(spec_, parameter));
    if (is_bandwidth && spec_.bandwidth_mode == BandwidthMode::adaptive)
      text += " (adaptive, " + number(spec_.bandwidth) + " x median)";
  }
  return text + ": " + info.formula;
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
