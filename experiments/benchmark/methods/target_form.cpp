#include "experiments/benchmark/methods/target_form.h"

#include <cmath>

namespace ansatz::experiments {
namespace {

Matrix<double> signed_log(const Matrix<double>& y) {
  return y.unaryExpr([](double v) { return std::copysign(std::log1p(std::fabs(v)), v); });
}

Matrix<double> signed_exp(const Matrix<double>& y) {
  return y.unaryExpr([](double v) { return std::copysign(std::expm1(std::fabs(v)), v); });
}

TargetScaling standardizing(const Matrix<double>& targets) {
  const Vector<double> mean = targets.colwise().mean();
  const Matrix<double> centred = targets.rowwise() - mean.transpose();
  const Vector<double> sd =
      centred.colwise().squaredNorm().transpose().array().sqrt() / std::sqrt(static_cast<double>(targets.rows()));
  constexpr double kRounding = 1e-13;  // of a constant column
  const auto varies = sd.array() > kRounding * mean.array().abs();
  return {mean, varies.select(sd, Vector<double>::Ones(sd.size()))};
}

}  // namespace

TargetTransform parse_target_transform(const Config& section) {
  return section.get_choice<TargetTransform>(
      "target_transform", "none", {{"none", TargetTransform::none}, {"signed_log", TargetTransform::signed_log}});
}

TargetForm::TargetForm(TargetTransform transform, const Dataset<double>& train) {
  if (train.task == Task::classification) return;
  signed_log_ = transform == TargetTransform::signed_log;
  scaling_ = standardizing(signed_log_ ? signed_log(train.targets) : train.targets);
}

Matrix<double> TargetForm::apply(Matrix<double> targets) const {
  if (signed_log_) targets = signed_log(targets);
  if (scaling_.scales()) scaling_.apply(targets);
  return targets;
}

Matrix<double> TargetForm::undo(const Matrix<double>& predicted) const {
  const Matrix<double> unscaled = scaling_.to_original(predicted);
  return signed_log_ ? signed_exp(unscaled) : unscaled;
}

}  // namespace ansatz::experiments
