// Finds the order of a network's layers. A file of weights has no order, or one that need not be the network's.
#pragma once

#include <string>
#include <vector>

#include "nets/checkpoints/checkpoint.h"
#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// What the order of the tensors in a file means.
enum class FileOrder {
  none,        ///< nothing: the format keeps no order (safetensors)
  registered,  ///< the order in which a model registered its layers (PyTorch); usually that of applying them
};

using Order = std::vector<std::size_t>;  ///< places in the list of layers, first layer first

struct LayerOrder {
  Order order;
  bool as_stored = false;  ///< nothing but the order of registration decided
};

/// The order in which the layers with these weights (checked one by one) are applied:
/// - If there are known.names, their order. They must name every tensor once, by its name or by the part before the
///   dot.
/// - Otherwise the only order that fits the shapes: each layer has as many inputs as the one before has outputs, from
///   known.inputs to known.outputs (if these are known and any order fits them). Numbers in names must not contradict
///   it.
/// - If several orders fit the shapes, the only one of them that also follows, at every step, the numbers in names that
///   differ in nothing else ("fc2" before "fc10"). If the order of registration fits the shapes, it must be the same.
/// - If several are left, the order of registration, if the file keeps it and neither shapes nor numbers contradict it.
/// Throws ConfigError beginning with "`layer_names`: " for names that do not match the tensors, for an order of names
/// that does not fit the shapes, and if several orders are left. Throws DataError naming `file` if no order fits the
/// shapes, if none of several fits the data set, and for more than 10,000 layers.
LayerOrder layer_order(const std::string& file, const std::vector<TensorInfo>& weights, const KnownLayers& known,
                       FileOrder file_order);

/// "layers.12.weight" -> "layers.0.weight": names that agree in this differ in their numbers only.
std::string without_numbers(const std::string& name);

}  // namespace ansatz::nets
