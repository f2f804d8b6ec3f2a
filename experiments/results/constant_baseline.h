// Models that a constant beats.
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// Mean squared error of the training targets' mean, a number a column, on the test rows (without any: the validation
/// rows), in the targets' own unit; NaN where there are neither.
template <class Scalar>
double constant_mse(const Split<Scalar>& split);

/// A sentence for the network, the reported RFM and each fixed kernel whose error on those rows is no smaller than that
/// constant's: it has learned nothing that carries over.
std::vector<std::string> beaten_by_a_constant(const RunRecord& record, double constant_mse);

}  // namespace ansatz::experiments
