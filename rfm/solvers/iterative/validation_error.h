// What tells an iterative solver to stop early.
#pragma once

#include <functional>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// From coefficients to their mean squared error on a validation set. Empty: there is none, and no early stopping.
template <class Scalar>
using ValidationError = std::function<double(const Matrix<Scalar>& alpha)>;

}  // namespace ansatz::rfm
