#include "core/data/target_scaling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/data/normalization.h"

namespace ansatz {
namespace {

/// "545.1", or "545.1, 3.2, ... (c columns)".
std::string few(const Vector<double>& values) {
  constexpr Index kShown = 5;
  const Index shown = std::min(kShown, values.size());
  const std::vector<double> list(values.data(), values.data() + shown);
  return fmt::format("{:.6g}{}", fmt::join(list, ", "), values.size() > kShown ? ", ..." : "");
}

}  // namespace

void TargetScaling::apply(Matrix<double>& targets) const {
  targets = ((targets.rowwise() - mean.transpose()).array().rowwise() / sd.transpose().array()).matrix().eval();
}

template <class Scalar>
Matrix<Scalar> TargetScaling::to_original(const Matrix<Scalar>& values) const {
  if (!scales()) return values;
  const Matrix<double> spread = values.template cast<double>() * sd.asDiagonal();
  return (spread.rowwise() + mean.transpose()).template cast<Scalar>();
}

std::string TargetScaling::in_words() const {
  if (!scales()) return "";
  return mean.size() == 1
             ? fmt::format("targets standardised by mean {} and standard deviation {} of the training rows", few(mean),
                           few(sd))
             : fmt::format(
                   "{} target columns standardised by means {} and standard deviations {} of the training rows: each "
                   "counts the same in R², the mean over them, and where a best model is chosen",
                   mean.size(), few(mean), few(sd));
}

bool TargetScaling::near_standard() const {
  return (mean.array().abs() <= sd.array() / 2).all() && (sd.array() >= 0.5).all() && (sd.array() <= 2).all();
}

TargetScaling learn_target_scaling(TargetNormalization normalization, const TableRows& targets,
                                   const std::vector<Index>& rows, const std::vector<std::string>& names,
                                   std::vector<std::string>& warnings) {
  if (normalization == TargetNormalization::none) return {};
  const TableScaling scaling(targets, rows, names, Normalization::standardize, false);
  for (const std::string& text : scaling.warnings()) warnings.push_back("targets, " + text);
  TargetScaling learned{scaling.transform().shift.transpose().matrix(), scaling.transform().scale.transpose().matrix()};
  return normalization == TargetNormalization::automatic && learned.near_standard() ? TargetScaling() : learned;
}

std::string unit_warning(const Matrix<double>& targets) {
  constexpr double kFarMean = 2, kFarScale = 10;
  for (Index j = 0; j < targets.cols(); ++j) {
    const double mean = targets.col(j).mean();
    const double sd = std::sqrt((targets.col(j).array() - mean).square().mean());
    if (!(sd > 0) || (std::abs(mean) <= kFarMean * sd && sd <= kFarScale && sd >= 1 / kFarScale)) continue;
    return fmt::format(
        "target column {} has mean {:.4g} and standard deviation {:.4g} over the training rows, while kernel machines "
        "and "
        "networks start from 0 and expect targets of about 1: use target_scaling: standardize, or scale it yourself",
        j, mean, sd);
  }
  return "";
}

template Matrix<float> TargetScaling::to_original(const Matrix<float>&) const;
template Matrix<double> TargetScaling::to_original(const Matrix<double>&) const;

}  // namespace ansatz
