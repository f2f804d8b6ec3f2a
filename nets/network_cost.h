// What networks cost, estimated from their widths for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// The number of weights in all layers; the few biases are not counted.
double weight_count(const MlpOptions& options, Index inputs, Index outputs);

/// k, the outputs of the first layer.
Index first_width(const MlpOptions& options, Index outputs);

/// The cost of a network's AGOP over that many points, plain and centred, as sandwiches around W_1.
Cost agop_cost(const MlpOptions& options, Index points, Index inputs, Index outputs, std::size_t scalar_bytes);

}  // namespace ansatz::nets
