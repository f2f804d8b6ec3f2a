// Points beside the rows, where two answers of an ill-conditioned system may differ though they agree at the rows.
#pragma once

#include "core/base/random.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// Up to 256 points that are no rows: half of them beyond one of a pair of rows, half off its line, as far as the two
/// are apart.
template <class Scalar>
PreparedPoints<Scalar> probes(const Kernel& kernel, const PreparedPoints<Scalar>& points, const RandomStream& stream);

}  // namespace ansatz::rfm
