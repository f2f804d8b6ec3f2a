#include "core/data/metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/class_coding.h"
#include "core/data/column_means.h"

namespace ansatz {
namespace {

template <class Scalar>
double squared_error(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, const TargetScaling& scaling) {
  double sum = 0;
  for (Index i = 0; i < targets.rows(); ++i)
    sum += scaling.squared_norm(predictions.row(i).template cast<double>() - targets.row(i).template cast<double>());
  return sum;
}

/// Whether a sum of squares around the mean is more than the rounding of that mean.
bool varies(double around_mean, double around_zero) {
  constexpr double kRounding = 1e-13;
  return around_mean > kRounding * kRounding * around_zero;
}

// Sum of squares around the column means; 0 if every column is constant (to the rounding of its mean).
template <class Scalar>
double total_variation(const Matrix<Scalar>& targets, const TargetScaling& scaling) {
  const Eigen::RowVectorXd mean = column_means(targets);
  double around_mean = 0, around_zero = 0;
  for (Index i = 0; i < targets.rows(); ++i) {
    around_mean += scaling.squared_norm(targets.row(i).template cast<double>() - mean);
    around_zero += scaling.squared_norm(targets.row(i).template cast<double>());
  }
  return varies(around_mean, around_zero) ? around_mean : 0;
}

/// Of each column 1 - squared errors / squared deviations from its mean: no unit changes it. NaN of a constant one.
template <class Scalar>
std::vector<double> r2_of_columns(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets) {
  const Eigen::RowVectorXd mean = column_means(targets);
  Eigen::RowVectorXd error = 0 * mean, around_mean = error, around_zero = error;
  for (Index i = 0; i < targets.rows(); ++i) {
    const Eigen::RowVectorXd target = targets.row(i).template cast<double>();
    error += (predictions.row(i).template cast<double>() - target).cwiseAbs2();
    around_mean += (target - mean).cwiseAbs2();
    around_zero += target.cwiseAbs2();
  }
  std::vector<double> r2;
  for (Index j = 0; j < targets.cols(); ++j)
    r2.push_back(varies(around_mean(j), around_zero(j)) ? 1 - error(j) / around_mean(j)
                                                        : std::numeric_limits<double>::quiet_NaN());
  return r2;
}

double mean_of_finite(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values)
    if (std::isfinite(value)) sum += value, count += 1;
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

// Mean over the rows of -log softmax(row)[class], through the largest logit, so that nothing overflows.
template <class Scalar>
double cross_entropy(const Matrix<Scalar>& logits, const std::vector<Index>& classes) {
  double sum = 0;
  for (Index i = 0; i < logits.rows(); ++i) {
    const Eigen::RowVectorXd row = logits.row(i).template cast<double>();
    const double largest = row.maxCoeff();
    sum += std::log((row.array() - largest).exp().sum()) + (largest - row(classes[static_cast<std::size_t>(i)]));
  }
  return sum / static_cast<double>(logits.rows());
}

template <class Scalar>
void require_logits(const Matrix<Scalar>& targets, Task task, const Matrix<Scalar>& class_codes) {
  if (task != Task::classification) throw ConfigError("`loss`: cross_entropy is for classification; use mse");
  if (class_codes.size() > 0)
    throw ConfigError("`loss`: cross_entropy needs one-hot classes, and these are coded by prevalence; use mse");
  if (targets.cols() < 2)
    throw ConfigError(
        "`loss`: cross_entropy needs a target column for each class, and these are a single column of 0 and 1; give "
        "class labels as integers, or use mse");
}

/// `scaling`: what has been done to the targets; errors are measured in the unit before.
template <class Scalar>
Metrics measure(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                const Matrix<Scalar>& class_codes, const TargetScaling& scaling, Loss loss) {
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
  if (loss == Loss::cross_entropy) {
    require_logits(targets, task, class_codes);
    result.cross_entropy = cross_entropy(predictions, decode_classes(targets, class_codes));
    result.mse = result.r2 = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const double error = squared_error(predictions, targets, scaling), variation = total_variation(targets, scaling);
  result.mse = error / static_cast<double>(targets.size());
  result.r2 = variation > 0 ? 1 - error / variation : std::numeric_limits<double>::quiet_NaN();
  if (task == Task::regression && targets.cols() > 1) result.r2_by_output = r2_of_columns(predictions, targets);
  if (scaling.several_units()) {
    result.r2 = mean_of_finite(result.r2_by_output);
    result.standardized_mse = squared_error(predictions, targets, {}) / static_cast<double>(targets.size());
  }
  return result;
}

}  // namespace

std::string describe(const Metrics& metrics) {
  return metrics.accuracy ? fmt::format("accuracy {:.2f} %", 100 * *metrics.accuracy)
                          : fmt::format("R² {:.4f}", metrics.r2);
}

template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                 const Matrix<Scalar>& class_codes, Loss loss) {
  return measure(predictions, targets, task, class_codes, {}, loss);
}

template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Dataset<Scalar>& data, Loss loss) {
  return measure(predictions, data.targets, data.task, data.class_codes, data.target_scaling, loss);
}

template <class Scalar>
Metrics evaluate(const Predictor<Scalar>& f, const Dataset<Scalar>& data, Loss loss) {
  return evaluate(f.predict(data.inputs), data, loss);
}

bool at_least_as_good(const Metrics& candidate, const Metrics& best) {
  if (candidate.accuracy && best.accuracy && *candidate.accuracy != *best.accuracy)
    return *candidate.accuracy > *best.accuracy;
  if (candidate.standardized_mse && best.standardized_mse) return *candidate.standardized_mse <= *best.standardized_mse;
  return candidate.loss() <= best.loss();
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                            \
  template Metrics evaluate(const Matrix<Scalar>&, const Matrix<Scalar>&, Task, const Matrix<Scalar>&, Loss); \
  template Metrics evaluate(const Matrix<Scalar>&, const Dataset<Scalar>&, Loss);                             \
  template Metrics evaluate(const Predictor<Scalar>&, const Dataset<Scalar>&, Loss);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
