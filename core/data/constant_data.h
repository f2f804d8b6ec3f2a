// Finds inputs or targets that are all alike: nothing can be learnt from them, and R² is not defined on such targets.
#pragma once

#include "core/data/dataset.h"

namespace ansatz {

/// Throws DataError if, over the training rows, no column of regression targets varies by more than rounding, or all
/// targets are so small that squared errors vanish in double (below 1e-150). Warns, in the log and in the notes,
/// - if some columns of targets, or all inputs, are constant over the training rows;
/// - if all targets, class labels included, are the same over the validation or test rows.
template <class Scalar>
void judge_variation(Split<Scalar>& split);

}  // namespace ansatz
