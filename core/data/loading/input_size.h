// Whether a user's own inputs are of a size that models expect.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// A sentence about the largest of the d columns if it lies far from 1, or "". `root_mean_squares`: d, of the training
/// rows; `names`: d, or empty.
std::string input_size_warning(const Vector<double>& root_mean_squares, const std::vector<std::string>& names);

}  // namespace ansatz
