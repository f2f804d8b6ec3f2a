// Inputs or targets that are all alike: nothing can be learnt from them, and no R² is defined on such targets.
#pragma once

#include "core/data/dataset.h"

namespace ansatz {

/// DataError where no column of regression targets varies over the training rows by more than rounding, or all are so
/// small that squared errors vanish in double (below 1e-150). A warning, to the log and to the notes, where some
/// columns of targets, or all inputs, are constant over the training rows, and where all targets are over the
/// validation or test rows, of classes too.
template <class Scalar>
void judge_variation(Split<Scalar>& split);

}  // namespace ansatz
