// What a constant comes to.
#pragma once

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// The metrics of the training targets' mean (of classes: of the one that is most frequent among the training rows) on
/// the test rows (without any: the validation rows), in the targets' own unit; none where there are neither.
template <class Scalar>
std::optional<Metrics> constant_prediction(const Split<Scalar>& split);

}  // namespace ansatz::experiments
