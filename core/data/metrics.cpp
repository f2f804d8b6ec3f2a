#include "core/data/metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/class_coding.h"

namespace ansatz {
namespace {

template <class Scalar>
double squared_error(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, const TargetScaling& scaling) {
  double sum = 0;
  for (Index i = 0; i < targets.rows(); ++i)
    sum += scaling.squared_norm(predictions.row(i).template cast<double>() - targets.row(i).template cast<double>());
  return sum;
}

// Sum of squares around the column means; 0 if every column is constant (to the rounding of its mean).
template <class Scalar>
double total_variation(const Matrix<Scalar>& targets, const TargetScaling& scaling) {
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(targets.cols());
  for (Index i = 0; i < targets.rows(); ++i) mean += targets.row(i).template cast<double>();
  mean /= static_cast<double>(targets.rows());
  double around_mean = 0, around_zero = 0;
  for (Index i = 0; i < targets.rows(); ++i) {
    around_mean += scaling.squared_norm(targets.row(i).template cast<double>() - mean);
    around_zero += scaling.squared_norm(targets.row(i).template cast<double>());
  }
  constexpr double kRounding = 1e-13;
  return around_mean > kRounding * kRounding * around_zero ? around_mean : 0;
}

/// `scaling`: what has been done to the targets; errors are measured in the unit before.
template <class Scalar>
Metrics measure(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                const Matrix<Scalar>& class_codes, const TargetScaling& scaling) {
  if (predictions.rows() != targets.rows() || predictions.cols() != targets.cols())
    throw DataError(fmt::format("metrics: predictions are {} x {} but targets are {} x {}", predictions.rows(),
                                predictions.cols(), targets.rows(), targets.cols()));
  if (targets.size() == 0) throw DataError("metrics: no samples to evaluate on");
  if (!predictions.allFinite())
    throw NumericalError(
        "metrics: predictions are not finite; lower the learning rate, use a smaller initialisation, or "
        "raise the ridge");
  Metrics result;
  if (task == Task::classification)
    result.accuracy = share_of_hits(decode_classes(predictions, class_codes), decode_classes(targets, class_codes));
  const double error = squared_error(predictions, targets, scaling), variation = total_variation(targets, scaling);
  result.mse = error / static_cast<double>(targets.size());
  result.r2 = variation > 0 ? 1 - error / variation : std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace

std::string describe(const Metrics& metrics) {
  return metrics.accuracy ? fmt::format("accuracy {:.2f} %", 100 * *metrics.accuracy)
                          : fmt::format("R² {:.4f}", metrics.r2);
}

template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                 const Matrix<Scalar>& class_codes) {
  return measure(predictions, targets, task, class_codes, {});
}

template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Dataset<Scalar>& data) {
  return measure(predictions, data.targets, data.task, data.class_codes, data.target_scaling);
}

template <class Scalar>
Metrics evaluate(const Predictor<Scalar>& f, const Dataset<Scalar>& data) {
  return evaluate(f.predict(data.inputs), data);
}

bool at_least_as_good(const Metrics& candidate, const Metrics& best) {
  if (candidate.accuracy && best.accuracy && *candidate.accuracy != *best.accuracy)
    return *candidate.accuracy > *best.accuracy;
  return candidate.mse <= best.mse;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                      \
  template Metrics evaluate(const Matrix<Scalar>&, const Matrix<Scalar>&, Task, const Matrix<Scalar>&); \
  template Metrics evaluate(const Matrix<Scalar>&, const Dataset<Scalar>&);                             \
  template Metrics evaluate(const Predictor<Scalar>&, const Dataset<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
