// Scaling of inputs, with statistics from the training rows only.
#pragma once

#include <string>
#include <vector>

#include "core/load_dataset.h"

namespace ansatz {

/// Scales the inputs of every part in place and adds a note. With m, s, low, high of each column over the training
/// rows:
///   unit_norm    x / |x| for each row; a row of zeros stays
///   standardize  (x - m) / s, s = sqrt(mean (x - m)^2); constant columns: x - m
///   min_max      (x - low) / (high - low); constant columns: x - low. Validation and test may leave [0, 1]
/// Sums accumulate in double. A synthetic task's truth speaks of the unscaled inputs, so scaling removes it (noted).
template <class Scalar>
void normalize(Split<Scalar>& split, Normalization kind);

/// Replaces NaN in the inputs of every part by the mean of that column's other training values, and adds a note.
/// Throws DataError naming a column that has none (by `names`, else by number).
template <class Scalar>
void fill_missing_with_mean(Split<Scalar>& split, const std::vector<std::string>& names);

}  // namespace ansatz
