#include "core/data/loading/input_size.h"

#include <fmt/format.h>

namespace ansatz {

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

}  // namespace ansatz
