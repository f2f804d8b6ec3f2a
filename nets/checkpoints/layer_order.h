// Which layer follows which, where a file of weights holds them in no order, or in one that need not be the network's.
#pragma once

#include <string>
#include <vector>

#include "nets/checkpoints/checkpoint.h"
#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// What the order of the tensors in a file is worth.
enum class FileOrder {
  none,        ///< the format keeps none (safetensors)
  registered,  ///< that in which a model registered its layers (PyTorch); it usually applies them so, but need not
};

/// `tensors` (the weights of Linear layers, checked one by one) in the order of the layers:
///  - that of known.names, if there are any: every tensor is named once, by its name or by what stands before the dot;
///  - else the only order in which each layer has as many inputs as the one before has outputs, from known.inputs to
///    known.outputs (where these are known, and where any order fits them), unless numbers contradict it;
///  - else, of several such orders, the only one that follows the numbers in names that differ in nothing else, at
///  every
///    step ("fc2" before "fc10"); an order of registration that fits the shapes too must be the same.
/// Throws ConfigError beginning with "`layer_names`: ": names that the file does not have, or has more of; an order
/// that does not chain; several orders left. Throws DataError naming `file`: no order chains; none of several fits the
/// data set; more than 10,000 layers.
std::vector<TensorInfo> in_layer_order(const std::string& file, const std::vector<TensorInfo>& tensors,
                                       const KnownLayers& known, FileOrder file_order);

}  // namespace ansatz::nets
