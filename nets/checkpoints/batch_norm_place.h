// Finds where the batch normalisations of a network stand: see layout_of().
#pragma once

#include <string>
#include <vector>

#include "nets/checkpoints/layer_order.h"
#include "nets/checkpoints/network_parts.h"

namespace ansatz::nets {

struct Placed {
  std::size_t norm = 0;    ///< index into NetworkParts::batch_norms
  std::size_t layers = 0;  ///< how many layers are applied before it
  bool before_activation = true;
};

/// All of them, in the order in which they are applied.
std::vector<Placed> place_batch_norms(const std::string& file, const NetworkParts& parts, const Order& order,
                                      const KnownLayers& known, FileOrder file_order);

}  // namespace ansatz::nets
