#include "nets/checkpoints/network_layout.h"

#include <algorithm>

#include "core/base/error.h"
#include "nets/checkpoints/batch_norm_place.h"

namespace ansatz::nets {
namespace {

/// As layer_order() takes them: by the names that a person would give them.
std::vector<TensorInfo> named_weights(const NetworkParts& parts) {
  std::vector<TensorInfo> weights;
  for (const LinearTensors& linear : parts.linear) {
    weights.push_back(linear.weight);
    if (linear.magnitude) weights.back().name = linear.name.empty() ? "weight" : linear.name + ".weight";
  }
  return weights;
}

KnownLayers without_batch_norms(KnownLayers known, const NetworkParts& parts) {
  const auto is_norm = [&](const std::string& name) {
    return std::any_of(parts.batch_norms.begin(), parts.batch_norms.end(),
                       [&](const BatchNormTensors& norm) { return norm.name == name; });
  };
  known.names.erase(std::remove_if(known.names.begin(), known.names.end(), is_norm), known.names.end());
  return known;
}

}  // namespace

NetworkLayout layout_of(const std::string& file, const NetworkParts& parts, const KnownLayers& known,
                        FileOrder file_order) {
  const LayerOrder found = layer_order(file, named_weights(parts), without_batch_norms(known, parts), file_order);
  NetworkLayout layout;
  layout.as_stored = found.as_stored;
  for (const std::size_t i : found.order) layout.layers.push_back({parts.linear[i], {}, {}});
  for (const Placed& placed : place_batch_norms(file, parts, found.order, known, file_order)) {
    const BatchNormTensors& norm = parts.batch_norms[placed.norm];
    if (placed.before_activation) {
      layout.layers[placed.layers - 1].after.push_back(norm);
    } else {
      layout.layers[placed.layers].before.push_back(norm);
    }
  }
  return layout;
}

}  // namespace ansatz::nets
