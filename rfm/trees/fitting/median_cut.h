// Where a list of numbers is cut in two.
#pragma once

#include <optional>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::rfm {

struct MedianCut {
  double threshold = 0;      ///< numbers <= threshold are below
  double spread = 0;         ///< > 0: the interquartile range; where that is 0 (many equal numbers), the range
  Index below = 0;           ///< how many
  double smaller_share = 0;  ///< of all numbers, on the side that has fewer
};

/// The cut at the median. Equal numbers stay together: where several equal the median, the cut lies before or behind
/// all of them, whichever leaves the sides more alike. Halfway between two numbers, so that it does not hang on the
/// rounding of either. None if all numbers are equal.
std::optional<MedianCut> median_cut(std::vector<double> numbers);

}  // namespace ansatz::rfm
