// Where the values that a key of the config takes stand on the axis of a plot.
#pragma once

#include <string>
#include <vector>

namespace ansatz::experiments {

struct AxisPositions {
  std::vector<double> x;  ///< one a value: the number that it is, or else 1, 2, …
  bool numbers = true;    ///< all are numbers; so is [64], and [64, 64] where all values have as many entries
  bool logarithmic = false;
};

/// `values`: as YAML. `logarithmic`: spaced so; values of one sign that differ by a factor of 30 are drawn so, too.
AxisPositions axis_positions(const std::vector<std::string>& values, bool logarithmic);

}  // namespace ansatz::experiments
