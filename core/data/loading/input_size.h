// Whether a user's own numbers are such as models expect.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/data/dataset.h"

namespace ansatz {

/// A sentence about the largest of the d columns if it lies far from 1, or "". `root_mean_squares`: d, of the training
/// rows; `names`: d, or empty.
std::string input_size_warning(const Vector<double>& root_mean_squares, const std::vector<std::string>& names);

/// Sentences about training rows of a user's own numbers: targets that are used as they came and lie far from mean 0
/// and standard deviation 1; inputs of an odd size that `normalization` does not scale; inputs that are the target.
/// Nothing of the latter two for pictures.
template <class Scalar>
std::vector<std::string> own_data_warnings(const Dataset<Scalar>& train, Normalization normalization);

}  // namespace ansatz
