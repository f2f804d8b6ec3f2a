// Finds inputs that are the target itself under another name.
#pragma once

#include <string>

#include "core/data/dataset.h"

namespace ansatz {

/// A sentence naming the training inputs (of many the first) that are a target column up to shift and scale, |r| = 1 to
/// rounding, or that have at most as many values as there are classes, each of one class; "" if there is none, or fewer
/// than ten rows.
template <class Scalar>
std::string target_leak(const Dataset<Scalar>& train);

}  // namespace ansatz
