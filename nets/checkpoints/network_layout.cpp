#include "nets/checkpoints/network_layout.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/printable_text.h"
#include "nets/checkpoints/batch_norm_place.h"
#include "nets/checkpoints/module_numbers.h"
#include "nets/checkpoints/names/telling_names.h"

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

std::vector<TensorInfo> tensors_of(const NetworkParts& parts) {
  std::vector<TensorInfo> tensors;
  for (const LinearTensors& linear : parts.linear) {
    tensors.push_back(linear.weight);
    if (linear.bias) tensors.push_back(*linear.bias);
  }
  return tensors;
}

KnownLayers without_batch_norms(KnownLayers known, const NetworkParts& parts) {
  const auto is_norm = [&](const std::string& name) {
    return std::any_of(parts.batch_norms.begin(), parts.batch_norms.end(),
                       [&](const BatchNormTensors& norm) { return norm.name == name; });
  };
  known.names.erase(std::remove_if(known.names.begin(), known.names.end(), is_norm), known.names.end());
  return known;
}

/// Where some layers of an nn.Sequential have an activation between them (a gap in the numbers) and others follow each
/// other, no single activation stands between all layers. Names that are given say that it does.
void require_one_activation(const std::string& file, const NetworkParts& parts, const NetworkLayout& layout,
                            const KnownLayers& known) {
  if (!known.names.empty() || known.activation == Activation::linear) return;
  std::string without;
  bool with = false;
  for (std::size_t l = 1; l < layout.layers.size(); ++l) {
    const std::string &name = layout.layers[l - 1].linear.name, &next = layout.layers[l].linear.name;
    const std::optional<Slot> left = slot_of(name), right = slot_of(next);
    if (!left || !right || left->container != right->container) continue;
    if (has_gap(numbers_in(parts, left->container), left->number, right->number)) {
      with = true;
    } else if (without.empty()) {
      without = "'" + printable(name) + "' and '" + printable(next) + "'";
    }
  }
  if (!with || without.empty()) return;
  throw ConfigError("`layer_names`: the layers " + without + " of " + file +
                    " follow each other without an activation between, as their numbers say, and others do not; such a "
                    "network can be read as TorchScript or with the two layers multiplied into one. If an activation "
                    "does stand between all layers, list them in `layer_names`");
}

/// Whether the layers are one stack is for names that are given to say. Without them, those in the file may speak
/// against it: everything that is no layer of its own would be read as one more layer where its shape allows it.
void require_one_stack(const std::string& file, const NetworkParts& parts, const std::vector<TensorInfo>& tensors,
                       const KnownLayers& known) {
  if (!known.names.empty()) return;
  if (const auto twin = twins(tensors))
    throw ConfigError("`checkpoint_key`: must say which network of " + file +
                      " is meant: it holds the same tensors below '" + printable(twin->first) + "' and '" +
                      printable(twin->second) + "'. If they are one network, list its layers in `layer_names`");
  for (const LinearTensors& linear : parts.linear) {
    const std::string role = other_role(linear.name, linear.bias.has_value());
    if (role.empty()) continue;
    throw ConfigError("`layer_names`: '" + printable(linear.name) + "' of " + file + " is called as " + role +
                      " would be; " + only_linear + hint_at_parts(tensors) +
                      ". If it is one of them all the same, list all layers in `layer_names`, first layer first");
  }
}

}  // namespace

NetworkLayout layout_of(const std::string& file, const NetworkParts& parts, const KnownLayers& known,
                        FileOrder file_order) {
  require_one_stack(file, parts, tensors_of(parts), known);
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
  require_one_activation(file, parts, layout, known);
  return layout;
}

}  // namespace ansatz::nets
