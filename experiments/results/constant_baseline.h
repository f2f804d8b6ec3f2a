// Models that a constant beats.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/results.h"

namespace ansatz::experiments {

/// A sentence for the network, the reported RFM and each fixed kernel whose error on the test rows (without any: the
/// validation rows) is no smaller than that of the training targets' mean: it has learned nothing that carries over.
template <class Scalar>
std::vector<std::string> beaten_by_a_constant(const Results<Scalar>& results);

}  // namespace ansatz::experiments
