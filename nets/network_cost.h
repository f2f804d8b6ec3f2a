// What networks take, told from their widths: for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// Weights of all layers (biases are few).
double weight_count(const MlpOptions& options, Index inputs, Index outputs);

/// k, the outputs of the first layer.
Index first_width(const MlpOptions& options, Index outputs);

/// Of the AGOP of a network over that many points, plain and centred, as sandwiches around W_1.
Cost agop_cost(const MlpOptions& options, Index points, Index inputs, Index outputs, std::size_t scalar_bytes);

}  // namespace ansatz::nets
