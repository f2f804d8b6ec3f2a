#include "core/data/loading/input_size.h"

#include <fmt/format.h>

#include "core/data/loading/target_leak.h"

namespace ansatz {
namespace {

template <class Scalar>
std::string size_warning(const Dataset<Scalar>& train) {
  const Vector<double> squares = train.inputs.template cast<double>().colwise().squaredNorm().transpose();
  return input_size_warning((squares / static_cast<double>(train.size())).cwiseSqrt(), train.feature_names);
}

}  // namespace

std::string input_size_warning(const Vector<double>& root_mean_squares, const std::vector<std::string>& names) {
  constexpr double kLarge = 100;
  Index column = 0;
  if (root_mean_squares.size() == 0 || !(root_mean_squares.maxCoeff(&column) > kLarge)) return "";
  return fmt::format(
      "input column {} has the root mean square {:.4g} over the training rows, while networks expect inputs of about 1 "
      "and kernels distances of about their bandwidth, so that such a column hides the others: use normalize: "
      "standardize, unless a network from elsewhere was trained on inputs of this size",
      names.empty() ? std::to_string(column) : names[static_cast<std::size_t>(column)], root_mean_squares(column));
}

template <class Scalar>
std::vector<std::string> own_data_warnings(const Dataset<Scalar>& train, Normalization normalization) {
  std::vector<std::string> warnings;
  const auto add = [&](std::string text) {
    if (!text.empty()) warnings.push_back(std::move(text));
  };
  if (train.task == Task::regression && !train.target_scaling.scales())
    add(unit_warning(Matrix<double>(train.targets.template cast<double>())));
  if (train.image_shape) return warnings;
  if (normalization == Normalization::none) add(size_warning(train));
  add(target_leak(train));
  return warnings;
}

template std::vector<std::string> own_data_warnings(const Dataset<float>&, Normalization);
template std::vector<std::string> own_data_warnings(const Dataset<double>&, Normalization);

}  // namespace ansatz
