#include "core/data/constant_data.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace ansatz {
namespace {

constexpr int kUnits = 4;  // differences of up to so many units of rounding are no variation (as in normalization.h)

/// Whether all rows are equal to rounding. Stops at the first row that is not, because there may be many.
template <class Scalar>
bool rows_are_alike(const Matrix<Scalar>& values) {
  const auto first = values.row(0).array();
  for (Index i = 1; i < values.rows(); ++i) {
    const auto row = values.row(i).array();
    const auto rounding = (kUnits * std::numeric_limits<Scalar>::epsilon()) * row.abs().max(first.abs());
    if (((row - first).abs() > rounding).any()) return false;
  }
  return true;
}

template <class Scalar>
std::vector<Index> constant_columns(const Matrix<Scalar>& targets) {
  std::vector<Index> constant;
  for (Index j = 0; j < targets.cols(); ++j) {
    const Scalar low = targets.col(j).minCoeff(), high = targets.col(j).maxCoeff();
    const Scalar rounding = kUnits * std::numeric_limits<Scalar>::epsilon() * std::max(std::abs(low), std::abs(high));
    if (!(high - low > rounding)) constant.push_back(j);
  }
  return constant;
}

/// The first row of targets, in their own unit.
template <class Scalar>
std::string first_row_in_words(const Dataset<Scalar>& part) {
  Index largest = 0;
  part.targets.row(0).maxCoeff(&largest);
  const auto name = static_cast<std::size_t>(largest);
  if (part.outputs() > 1 && name < part.class_names.size()) return "\"" + part.class_names[name] + "\"";
  constexpr Index kShown = 5;
  std::string text;
  const Matrix<Scalar> row = part.target_scaling.to_original(Matrix<Scalar>(part.targets.topRows(1)));
  for (Index j = 0; j < std::min(kShown, part.outputs()); ++j)
    text += fmt::format("{}{:.6g}", j > 0 ? ", " : "", row(0, j) + 0);  // not "-0"
  return part.outputs() > kShown ? text + ", ..." : text;
}

template <class Scalar>
void judge_training(const Dataset<Scalar>& train, std::vector<std::string>& warnings) {
  constexpr double kLeast = 1e-150;
  const std::vector<Index> constant = constant_columns(train.targets);
  if (static_cast<Index>(constant.size()) == train.outputs())
    throw DataError(fmt::format("all {} training targets are {}: there is nothing to learn; are they the right ones?",
                                train.size(), first_row_in_words(train)));
  const Matrix<double> original =
      train.target_scaling.to_original(Matrix<double>(train.targets.template cast<double>()));
  if (const double largest = original.cwiseAbs().maxCoeff(); largest < kLeast)
    throw DataError(fmt::format(
        "the training targets are so small (up to {:.3g}) that squared errors vanish; multiply them", largest));
  if (!constant.empty())
    warnings.push_back(fmt::format("{} of {} target columns are constant over the training rows: {} (counted from 0)",
                                   constant.size(), train.outputs(), fmt::join(constant, ", ")));
}

template <class Scalar>
void judge_held_out(const Dataset<Scalar>& part, const char* name, std::vector<std::string>& warnings) {
  if (part.empty() || static_cast<Index>(constant_columns(part.targets).size()) < part.outputs()) return;
  warnings.push_back(part.size() == 1 ? fmt::format("there is only one {} row: R² is not defined on it", name)
                                      : fmt::format("all {} {} targets are {}: R² is not defined on them", part.size(),
                                                    name, first_row_in_words(part)));
}

/// Warns of classes that occur in this part but not among the training rows. Targets are still one-hot here.
template <class Scalar>
void judge_classes(const Dataset<Scalar>& train, const Dataset<Scalar>& part, const char* name,
                   std::vector<std::string>& warnings) {
  if (part.empty() || static_cast<Index>(train.class_names.size()) != train.outputs()) return;
  std::vector<std::string> unseen;
  for (Index c = 0; c < train.outputs(); ++c) {
    if ((train.targets.col(c).array() == 0).all() && (part.targets.col(c).array() != 0).any())
      unseen.push_back("\"" + train.class_names[static_cast<std::size_t>(c)] + "\"");
  }
  if (unseen.empty()) return;
  constexpr std::size_t kShown = 5;
  const std::string more = unseen.size() > kShown ? fmt::format(" and {} more", unseen.size() - kShown) : "";
  unseen.resize(std::min(unseen.size(), kShown));
  warnings.push_back(
      fmt::format("no training row is of class {}{}, but {} rows are", fmt::join(unseen, ", "), more, name));
}

}  // namespace

template <class Scalar>
void judge_variation(Split<Scalar>& split) {
  std::vector<std::string> warnings;
  if (rows_are_alike(split.train.inputs))
    warnings.push_back(
        fmt::format("the inputs of all {} training rows are the same to within rounding: there is next to nothing to "
                    "learn from them",
                    split.train.size()));
  if (split.train.task == Task::regression) judge_training(split.train, warnings);
  judge_classes(split.train, split.validation, "validation", warnings);
  judge_classes(split.train, split.test, "test", warnings);
  judge_held_out(split.validation, "validation", warnings);
  judge_held_out(split.test, "test", warnings);
  for (std::string& text : warnings) {
    spdlog::warn("{}", text);
    split.notes.push_back(std::move(text));
  }
}

template void judge_variation(Split<float>&);
template void judge_variation(Split<double>&);

}  // namespace ansatz
