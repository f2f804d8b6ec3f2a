// The layout of a network whose file has its code: a TorchScript module.
#pragma once

#include "nets/checkpoints/network_layout.h"
#include "nets/checkpoints/script/forward_chain.h"

namespace ansatz::nets {

/// From what the code does, step by step: the order of the layers, the places and epsilons of batch normalisations, and
/// the activation, which must be the same between all layers. Throws DataError naming `file` and what was seen if that
/// is no plain stack of layers with one activation between them (an activation after the last layer, two in a row, a
/// branch that is added), or if a tensor is not there or of the wrong shape. Throws ConfigError beginning with the
/// option in backquotes if known.names or known.batch_norm say other than the code.
NetworkLayout layout_of_script(const std::string& file, const std::vector<TensorInfo>& tensors,
                               const std::vector<ForwardStep>& steps, const KnownLayers& known);

}  // namespace ansatz::nets
