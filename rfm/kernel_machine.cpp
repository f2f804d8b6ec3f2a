#include "rfm/kernel_machine.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "rfm/gradients/p_norm_gradients.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/pairs/range.h"

namespace ansatz::rfm {
namespace {

constexpr Index kJacobianRows = 256;

template <class Scalar>
void require_width(const KernelMachine<Scalar>& machine, const MatrixView<Scalar>& x) {
  if (x.cols() != machine.input_dimension())
    throw DataError("kernel machine: inputs have " + std::to_string(x.cols()) + " columns, the machine was fitted on " +
                    std::to_string(machine.input_dimension()));
}

/// Gradients at b points in M's coordinates, (c b) x q: row output * b + i holds that of `output` at point i.
template <class Scalar>
Matrix<Scalar> gradients_at(const Kernel& kernel, const PreparedPoints<Scalar>& points,
                            const PreparedPoints<Scalar>& centers, const Matrix<Scalar>& coefficients) {
  if (kernel.p_norm()) return p_norm_gradients(kernel, points, centers, coefficients);
  const Index b = points.size(), c = coefficients.cols();
  const GradientWeights<Scalar> w = gradient_weights(kernel, points, centers, {}, coefficients);
  Matrix<Scalar> result(c * b, centers.points.cols());
  for (Index output = 0; output < c; ++output) {
    const Matrix<Scalar> weighted = w.a * coefficients.col(output).asDiagonal();
    auto g = result.middleRows(output * b, b);
    g = w.s.col(output).asDiagonal() * points.points;
    g.noalias() += weighted * centers.points;
  }
  return result;
}

}  // namespace

template <class Scalar>
std::shared_ptr<const PreparedCenters<Scalar>> prepare_centers(
    const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& centers,
    std::shared_ptr<const SampleSpace<Scalar>> sample_space) {
  MetricCoordinates<Scalar> coordinates(kernel, metric, centers, std::move(sample_space));
  PreparedPoints<Scalar> points = coordinates.prepare(centers);
  return std::make_shared<const PreparedCenters<Scalar>>(
      PreparedCenters<Scalar>{std::move(coordinates), std::move(points)});
}

template <class Scalar>
KernelMachine<Scalar>::KernelMachine(Kernel kernel, FeatureMatrix<Scalar> metric,
                                     std::shared_ptr<const Matrix<Scalar>> centers, Matrix<Scalar> alpha,
                                     std::shared_ptr<const PreparedCenters<Scalar>> prepared)
    : kernel_(std::move(kernel)),
      metric_(std::move(metric)),
      centers_(std::move(centers)),
      alpha_(std::move(alpha)),
      prepared_(std::move(prepared)) {
  if (alpha_.rows() != centers_->rows())
    throw DataError("kernel machine: " + std::to_string(alpha_.rows()) + " rows of coefficients for " +
                    std::to_string(centers_->rows()) + " centres");
  if (metric_.dimension() != centers_->cols())
    throw DataError("kernel machine: a feature matrix of dimension " + std::to_string(metric_.dimension()) +
                    " for centres of width " + std::to_string(centers_->cols()));
  if (!alpha_.allFinite()) throw NumericalError("kernel machine: the coefficients are not finite; use a larger ridge");
}

template <class Scalar>
std::shared_ptr<const PreparedCenters<Scalar>> KernelMachine<Scalar>::prepared() const {
  std::shared_ptr<const PreparedCenters<Scalar>> result = std::atomic_load(&prepared_);
  if (!result) {
    result = prepare_centers<Scalar>(kernel_, metric_, *centers_);
    std::atomic_store(&prepared_, result);
  }
  return result;
}

template <class Scalar>
Matrix<Scalar> KernelMachine<Scalar>::predict(const MatrixView<Scalar>& x) const {
  require_width(*this, x);
  const auto centers = prepared();
  const Index tile = kPredictedRows;
  Matrix<Scalar> result(x.rows(), output_dimension());
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    const Index rows = std::min(tile, x.rows() - begin);
    const PreparedPoints<Scalar> points = centers->coordinates.prepare(x.middleRows(begin, rows));
    result.middleRows(begin, rows) = multiply_kernel(kernel_, points, centers->points, alpha_).template cast<Scalar>();
  }
  return result;
}

template <class Scalar>
Matrix<Scalar> KernelMachine<Scalar>::input_jacobian(const MatrixView<Scalar>& x) const {
  require_width(*this, x);
  const auto centers = prepared();
  const Index c = output_dimension(), tile = kJacobianRows;
  const Matrix<Scalar> coefficients = gradient_coefficients(kernel_, centers->points, alpha_);
  Matrix<Scalar> result(x.rows() * c, input_dimension());
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    const Index rows = std::min(tile, x.rows() - begin);
    const PreparedPoints<Scalar> points = centers->coordinates.prepare(x.middleRows(begin, rows));
    const Matrix<Scalar> stacked = gradients_at(kernel_, points, centers->points, coefficients);
    for (Index output = 0; output < c; ++output) {
      Matrix<Scalar> gradients = centers->coordinates.lift(stacked.middleRows(output * rows, rows));
      if (points.unit != 1) gradients *= static_cast<Scalar>(1 / points.unit);
      for (Index i = 0; i < rows; ++i) result.row((begin + i) * c + output) = gradients.row(i);
    }
  }
  return result;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                     \
  template std::shared_ptr<const PreparedCenters<Scalar>> prepare_centers(const Kernel&, const FeatureMatrix<Scalar>&, \
                                                                          const MatrixView<Scalar>&,                   \
                                                                          std::shared_ptr<const SampleSpace<Scalar>>); \
  template class KernelMachine<Scalar>;
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
