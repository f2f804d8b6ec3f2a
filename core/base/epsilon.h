// The rounding of a scalar type.
#pragma once

#include <limits>

namespace ansatz {

/// The difference between 1 and the next number of type `Scalar`, as a double.
template <class Scalar>
constexpr double epsilon() {
  return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
}

}  // namespace ansatz
