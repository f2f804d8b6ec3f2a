#include "core/data/loading/target_leak.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/data/class_coding.h"
#include "core/data/column_means.h"
#include "core/data/normalization.h"

namespace ansatz {
namespace {

/// Sums over the rows around the columns' means, in double: of squares, and of products of inputs and targets.
struct Moments {
  Matrix<double> products;             ///< d x c
  Eigen::RowVectorXd inputs, targets;  ///< squares: d, c
};

template <class Scalar>
Moments moments_of(const Dataset<Scalar>& train) {
  constexpr Index kBlock = 1024;
  const Eigen::RowVectorXd x_mean = column_means(train.inputs), y_mean = column_means(train.targets);
  Moments sums{Matrix<double>::Zero(train.dimension(), train.outputs()), 0 * x_mean, 0 * y_mean};
  for (Index first = 0; first < train.size(); first += kBlock) {
    const Index rows = std::min(kBlock, train.size() - first);
    const Matrix<double> x = train.inputs.middleRows(first, rows).template cast<double>().rowwise() - x_mean;
    const Matrix<double> y = train.targets.middleRows(first, rows).template cast<double>().rowwise() - y_mean;
    sums.products.noalias() += x.transpose() * y;
    sums.inputs += x.cwiseAbs2().colwise().sum();
    sums.targets += y.cwiseAbs2().colwise().sum();
  }
  return sums;
}

/// Of a class that few rows have many an input is a copy by chance.
bool is_target(const Moments& sums, Task task, Index input) {
  constexpr double kRounding = 1e-9;  // of r; float32 rounds values to 6e-8, and r to the square of that
  constexpr double kFewOfClass = 3;   // squares around the mean of a column that is 1 in so many rows
  for (Index c = 0; c < sums.targets.size(); ++c) {
    if (task == Task::classification && sums.targets(c) < kFewOfClass) continue;
    const double size = std::sqrt(sums.inputs(input) * sums.targets(c));
    if (size > 0 && std::abs(sums.products(input, c)) >= (1 - kRounding) * size) return true;
  }
  return false;
}

/// Whether the column tells the class, each by one value: a copy of the labels, whatever their order.
template <class Scalar>
bool is_label(const Dataset<Scalar>& train, const std::vector<Index>& classes, Index input) {
  const Index most = 1 + *std::max_element(classes.begin(), classes.end());
  std::map<Scalar, Index> class_of;
  for (Index i = 0; i < train.size(); ++i) {
    const Index label = classes[static_cast<std::size_t>(i)];
    const auto [known, is_new] = class_of.emplace(train.inputs(i, input), label);
    if (known->second != label || static_cast<Index>(class_of.size()) > most) return false;
  }
  return class_of.size() > 1;
}

}  // namespace

template <class Scalar>
std::string target_leak(const Dataset<Scalar>& train) {
  constexpr Index kEnoughRows = 10;
  constexpr std::size_t kShown = 5;
  if (train.size() < kEnoughRows) return "";
  const Moments sums = moments_of(train);
  const std::vector<Index> classes =
      train.task == Task::classification ? decode_classes(train.targets, train.class_codes) : std::vector<Index>{};
  std::vector<std::string> found;
  for (Index j = 0; j < train.dimension() && found.size() < kShown; ++j)
    if (is_target(sums, train.task, j) || (!classes.empty() && is_label(train, classes, j)))
      found.push_back(column_in_words(train.feature_names, j));
  if (found.empty()) return "";
  return fmt::format(
      "over the {} training rows, input column{} {} {} the target itself, in the same or another coding: if it is "
      "known only "
      "when the target is, leave it out",
      train.size(), found.size() == 1 ? "" : "s", fmt::join(found, ", "), found.size() == 1 ? "is" : "are each");
}

template std::string target_leak(const Dataset<float>&);
template std::string target_leak(const Dataset<double>&);

}  // namespace ansatz
