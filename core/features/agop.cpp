#include "core/features/agop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace ansatz {
namespace {

// Calls body() with the Jacobian of `batch` points at a time, (points * c) x d, over all rows of x.
template <class Scalar, class Body>
void over_jacobians(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, Index batch, const Body& body) {
  for (Index row = 0; row < x.rows(); row += batch) {
    const Index count = std::min(batch, x.rows() - row);
    Matrix<Scalar> jacobian = f.input_jacobian(x.middleRows(row, count));
    if (!jacobian.allFinite())
      throw NumericalError(
          fmt::format("gradient outer product: gradients at points {} to {} are not finite; lower the "
                      "learning rate or raise the ridge of the model",
                      row, row + count - 1));
    body(jacobian);
  }
}

// The mean gradient of each output over the rows of x: c x d.
template <class Scalar>
Matrix<double> mean_gradients(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, Index batch) {
  const Index outputs = f.output_dimension();
  Matrix<double> mean = Matrix<double>::Zero(outputs, x.cols());
  over_jacobians(f, x, batch, [&](const Matrix<Scalar>& jacobian) {
    for (Index i = 0; i < jacobian.rows(); ++i) mean.row(i % outputs) += jacobian.row(i).template cast<double>();
  });
  return mean / static_cast<double>(x.rows());
}

template <class Scalar>
void require_inputs(const Predictor<Scalar>& f, const MatrixView<Scalar>& x) {
  if (x.cols() != f.input_dimension())
    throw DataError(fmt::format("gradient outer product: the points have {} coordinates, the model takes {}", x.cols(),
                                f.input_dimension()));
  if (x.rows() == 0) throw DataError("gradient outer product: no points to average over");
}

}  // namespace

template <class Scalar>
FeatureMatrix<Scalar> agop(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, const AgopOptions& options) {
  require_inputs(f, x);
  const Index d = x.cols(), batch = std::max<Index>(1, options.batch);
  if (!options.diagonal && d > kDenseLimit)
    throw MemoryError(
        fmt::format("gradient outer product: {} x {} would take {:.1f} GB; take its diagonal only, or the "
                    "model's own sandwich form",
                    d, d, 1e-9 * double(d) * double(d) * sizeof(Scalar)));
  // Means are subtracted first: subtracting the outer product of the means afterwards would lose digits in float32.
  Matrix<Scalar> mean;
  if (options.center) mean = mean_gradients(f, x, batch).template cast<Scalar>();
  Vector<double> diagonal = Vector<double>::Zero(d);
  Matrix<Scalar> full = Matrix<Scalar>::Zero(options.diagonal ? 0 : d, options.diagonal ? 0 : d);
  over_jacobians(f, x, batch, [&](Matrix<Scalar>& jacobian) {
    if (options.center)
      for (Index i = 0; i < jacobian.rows(); ++i) jacobian.row(i) -= mean.row(i % mean.rows());
    if (options.diagonal)
      for (Index i = 0; i < jacobian.rows(); ++i) diagonal += jacobian.row(i).template cast<double>().cwiseAbs2();
    else
      full.template selfadjointView<Eigen::Lower>().rankUpdate(jacobian.transpose());
  });
  const auto points = static_cast<double>(x.rows());
  if (options.diagonal) return FeatureMatrix<Scalar>::diagonal_form((diagonal / points).template cast<Scalar>());
  full /= static_cast<Scalar>(points);
  full.template triangularView<Eigen::StrictlyUpper>() = full.transpose();
  return FeatureMatrix<Scalar>::dense(std::move(full));
}

template <class Scalar>
double input_jacobian_error(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, double step) {
  require_inputs(f, x);
  const Index d = x.cols();
  const auto h = static_cast<Scalar>(step);
  double largest = 0, error = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    const Matrix<Scalar> jacobian = f.input_jacobian(x.middleRows(i, 1));  // c x d
    Matrix<Scalar> forward = x.row(i).replicate(d, 1), backward = forward;
    forward.diagonal().array() += h;
    backward.diagonal().array() -= h;
    // The step actually taken, after rounding of x + h and x - h.
    const Vector<Scalar> taken = forward.diagonal() - backward.diagonal();
    const Matrix<Scalar> difference = taken.cwiseInverse().asDiagonal() * (f.predict(forward) - f.predict(backward));
    if (jacobian.rows() != difference.cols() || jacobian.cols() != d)
      throw DataError(fmt::format("gradient check: the Jacobian of one point is {} x {}, not {} x {}", jacobian.rows(),
                                  jacobian.cols(), difference.cols(), d));
    largest = std::max({largest, static_cast<double>(jacobian.cwiseAbs().maxCoeff()),
                        static_cast<double>(difference.cwiseAbs().maxCoeff())});
    const auto point_error = static_cast<double>((jacobian - difference.transpose()).cwiseAbs().maxCoeff());
    if (!std::isfinite(point_error)) throw NumericalError(fmt::format("gradient check: not finite at point {}", i));
    error = std::max(error, point_error);
  }
  return largest > 0 ? error / largest : 0;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                              \
  template FeatureMatrix<Scalar> agop(const Predictor<Scalar>&, const MatrixView<Scalar>&, const AgopOptions&); \
  template double input_jacobian_error(const Predictor<Scalar>&, const MatrixView<Scalar>&, double);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
