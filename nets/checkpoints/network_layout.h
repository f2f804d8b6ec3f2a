// A network as a file holds it: its layers in order, with the batch normalisations between them. No numbers yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nets/checkpoints/layer_order.h"
#include "nets/checkpoints/network_parts.h"

namespace ansatz::nets {

/// A layer, and what is done to its inputs (after the activation of the layer before) and to its outputs (before the
/// activation), in the order in which it is done.
struct LayoutLayer {
  LinearTensors linear;
  std::vector<BatchNormTensors> before, after;
};

struct NetworkLayout {
  std::vector<LayoutLayer> layers;        ///< first layer first
  std::optional<std::string> activation;  ///< between the layers, where the file's code says it
  std::optional<std::string> left_out;    ///< a function of the outputs that the file's code ends with: "softmax"
  bool as_stored = false;                 ///< the order of the layers is that of the file, and nothing else tells it
};

/// Finds the order of the layers (layer_order.h) and the place of each batch normalisation: where known.names has it;
/// else by its number among those of the modules beside it ("1" after "0" and before "3"); else by the order of the
/// file, its size and a number in its name, where these leave one place only. Whether one that stands between two
/// layers comes before the activation is for known.batch_norm to say, or follows from the gap that the activation
/// leaves in the numbers. Throws ConfigError beginning with "`layer_names`: " or "`batch_norm`: " where that is not
/// enough, or if the numbers show an activation between some layers and none between others, and what layer_order()
/// throws.
NetworkLayout layout_of(const std::string& file, const NetworkParts& parts, const KnownLayers& known,
                        FileOrder file_order);

}  // namespace ansatz::nets
