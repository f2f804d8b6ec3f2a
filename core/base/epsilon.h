// The rounding of a scalar type.
#pragma once

#include <limits>

namespace ansatz {

/// Of `Scalar`, as a double.
template <class Scalar>
constexpr double epsilon() {
  return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

}  // namespace ansatz
