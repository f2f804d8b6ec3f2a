// Given a photograph and a digit that tell the same, both models look at the digit (paper, Section 4.3 and Fig. 8).
#pragma once

#include "core/data/dataset.h"

namespace ansatz::experiments {

/// Left: the photograph; right: the digit.
enum class Half { left, right };

/// Images (n x d) of which one half is that of as many others: what a model makes of them says which half it uses.
Matrix<double> with_half_of(const Matrix<double>& images, const Matrix<double>& others, const ImageShape& shape,
                            Half half);

}  // namespace ansatz::experiments
