// What depth does to the features of the first layer (paper, Section 6, Figs 10 to 14).
#pragma once

#include "core/base/matrix.h"

namespace ansatz::experiments {

/// Sum of the `count` largest of `values` over the sum of all.
double largest_share(const Vector<double>& values, Index count);

}  // namespace ansatz::experiments
