#include "core/data/dataset.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"

namespace ansatz {
namespace {

template <class Scalar>
void check_finite(const Matrix<Scalar>& values, const char* part, const char* what) {
  if (values.allFinite()) return;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      if (!std::isfinite(values(i, j))) {
        throw DataError(
            fmt::format("{} {}: row {}, column {} (counted from 0) is {}; all values must be finite numbers", part,
                        what, i, j, values(i, j)));
      }
    }
  }
}

template <class Scalar>
void check_one_hot(const Dataset<Scalar>& data, const char* part) {
  const bool single = data.outputs() == 1;  // a single output is 0 or 1, with a threshold of 1/2
  for (Index i = 0; i < data.size(); ++i) {
    const Index ones = (data.targets.row(i).array() == Scalar(1)).count();
    const Index zeros = (data.targets.row(i).array() == Scalar(0)).count();
    if (ones + zeros != data.outputs() || (!single && ones != 1)) {
      throw DataError(
          fmt::format("{} targets: row {} (counted from 0) is not one-hot (a single 1 among 0s); use class labels, or "
                      "task: regression",
                      part, i));
    }
  }
}

template <class Scalar>
void check_shapes(const Dataset<Scalar>& data, const Dataset<Scalar>& train, const char* part) {
  if (data.targets.rows() != data.size()) {
    throw DataError(fmt::format("{}: {} rows of inputs but {} of targets", part, data.size(), data.targets.rows()));
  }
  if (!data.source_rows.empty() && static_cast<Index>(data.source_rows.size()) != data.size()) {
    throw DataError(fmt::format("{}: {} rows of inputs but {} of them are said to be known in the set's own list", part,
                                data.size(), data.source_rows.size()));
  }
  if (data.dimension() != train.dimension() || data.outputs() != train.outputs()) {
    throw DataError(fmt::format("{} has d = {} inputs and c = {} outputs, train has d = {} and c = {}; they must agree",
                                part, data.dimension(), data.outputs(), train.dimension(), train.outputs()));
  }
  if (!(data.target_scaling == train.target_scaling))
    throw DataError(fmt::format("{} has targets in another unit than train", part));
  if (data.target_scaling.scales() && data.target_scaling.mean.size() != data.outputs())
    throw DataError(fmt::format("{}: the scaling of {} target columns for c = {} outputs", part,
                                data.target_scaling.mean.size(), data.outputs()));
  if (data.image_shape && data.image_shape->size() != data.dimension()) {
    const ImageShape& s = *data.image_shape;
    throw DataError(fmt::format("{}: image_shape [{}, {}, {}] has {} values but the inputs have d = {}", part,
                                s.channels, s.height, s.width, s.size(), data.dimension()));
  }
  if (!data.feature_names.empty() && static_cast<Index>(data.feature_names.size()) != data.dimension())
    throw DataError(fmt::format("{}: {} names of features but the inputs have d = {}", part, data.feature_names.size(),
                                data.dimension()));
  Index next = 0;
  for (const ColumnGroup& group : data.column_groups) {
    if (group.first != next || group.width < 1)
      throw DataError(
          fmt::format("{}: the columns of \"{}\" begin at {}, {} was expected", part, group.name, group.first, next));
    next += group.width;
  }
  if (next > 0 && next != data.dimension())
    throw DataError(fmt::format("{}: {} columns have a name but the inputs have d = {}", part, next, data.dimension()));
}

template <class Scalar>
void check_part(const Dataset<Scalar>& data, const Dataset<Scalar>& train, const char* part) {
  check_shapes(data, train, part);
  check_finite(data.inputs, part, "inputs");
  check_finite(data.targets, part, "targets");
  if (data.task == Task::classification) check_one_hot(data, part);
}

template <class Scalar>
void check_two_classes(const Dataset<Scalar>& train) {
  Index occurring = 0, last = 0;
  for (Index c = 0; c < train.outputs(); ++c) {
    const Index members = static_cast<Index>((train.targets.col(c).array() == Scalar(1)).count());
    if (members > 0) last = c;
    occurring += members > 0;
    if (train.outputs() == 1) occurring += members < train.size();
  }
  if (occurring >= 2) return;
  const auto index = static_cast<std::size_t>(last);
  const std::string name = index < train.class_names.size() ? " (\"" + train.class_names[index] + "\")" : "";
  throw DataError(
      fmt::format("all {} training rows are of one class{}; classification needs at least two", train.size(), name));
}

}  // namespace

template <class Scalar>
Dataset<Scalar> Dataset<Scalar>::rows(const std::vector<Index>& indices) const {
  Dataset result;
  result.inputs = inputs(indices, Eigen::all);
  result.targets = targets(indices, Eigen::all);
  result.task = task;
  result.class_names = class_names;
  result.class_codes = class_codes;
  result.target_scaling = target_scaling;
  result.image_shape = image_shape;
  result.feature_names = feature_names;
  result.column_groups = column_groups;
  if (!source_rows.empty())
    for (const Index i : indices) result.source_rows.push_back(source_rows[static_cast<std::size_t>(i)]);
  return result;
}

template <class Scalar>
void validate(const Split<Scalar>& split) {
  const Dataset<Scalar>& train = split.train;
  if (train.size() < 2) {
    throw DataError(
        fmt::format("train has n = {} row{}; at least 2 are needed", train.size(), train.size() == 1 ? "" : "s"));
  }
  if (train.dimension() < 1 || train.outputs() < 1) throw DataError("train has no input or no target columns");
  check_part(train, train, "train");
  if (!split.validation.empty()) check_part(split.validation, train, "validation");
  if (!split.test.empty()) check_part(split.test, train, "test");
  if (train.task == Task::classification) check_two_classes(train);
}

template struct Dataset<float>;
template struct Dataset<double>;
template void validate(const Split<float>&);
template void validate(const Split<double>&);

}  // namespace ansatz
