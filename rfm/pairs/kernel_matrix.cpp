#include "rfm/pairs/kernel_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "rfm/pairs/metric_coordinates.h"
#include "rfm/pairs/pair_matrices.h"

namespace ansatz::rfm {
namespace {

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

template <class Scalar>
Kernel make_kernel(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                   const RandomStream& stream) {
  const Kernel kernel = Kernel::make(spec);
  if (spec.bandwidth_mode == BandwidthMode::constant || !kernel.radial()) return kernel;
  RandomStream rows = stream;
  const Matrix<Scalar> sample = x(rows.sample(x.rows(), kBandwidthRows), Eigen::all);
  if (sample.rows() < 2)
    throw NumericalError("adaptive bandwidth: needs at least two rows; use bandwidth_mode: constant");
  const MetricCoordinates<Scalar> coordinates(kernel, metric, sample);
  const double median = median_distance(kernel, coordinates.prepare(sample));
  if (!(median > 0) || !std::isfinite(median))
    throw NumericalError(fmt::format(
        "adaptive bandwidth: the median distance between rows is {:.6g}; use bandwidth_mode: constant", median));
  return kernel.with_bandwidth(spec.bandwidth * median);
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
  template Kernel make_kernel(const KernelSpec&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&,       \
                              const RandomStream&);                                                             \
  template Matrix<Scalar> kernel_matrix(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&, \
                                        const MatrixView<Scalar>&);                                             \
  template Matrix<Scalar> kernel_matrix(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
