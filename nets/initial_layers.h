// What a network starts from: how its parameters are drawn, and their multipliers. For sources of nets/ only.
#pragma once

#include "nets/stack.h"

namespace ansatz::nets::detail {

/// Layer `number` (from 1), outputs x inputs, as Initialization says, its parameters drawn from the streams
/// "layer<number>.weight" and "layer<number>.bias". Multipliers are those of the parameterisation; output_scale is not
/// in them.
template <class Scalar>
Layer initial_layer(Index number, Index outputs, Index inputs, const MlpOptions& options, const RandomStream& stream);

}  // namespace ansatz::nets::detail
