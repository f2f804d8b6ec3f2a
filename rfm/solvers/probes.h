// Points beside the rows, where two answers of an ill-conditioned system may differ though they agree at the rows.
#pragma once

#include "core/base/random.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// Up to 256 points that are not rows, each made from a pair of rows: half of them lie on the pair's line, beyond one
/// of the two rows by half their distance; the other half lie in a random direction from one row, as far as the other
/// is.
template <class Scalar>
PreparedPoints<Scalar> probes(const Kernel& kernel, const PreparedPoints<Scalar>& points, const RandomStream& stream);

}  // namespace ansatz::rfm
