// What the targets of both kinds of checkpoint do with a file that opens.
#pragma once

#include <string>

#include "nets/checkpoints/layer_numbers.h"
#include "tests/fuzz/fuzz.h"

namespace ansatz::fuzz {

/// Reads the weights of an open file as the program does, unless shared storages make them many times its size: the
/// program then looks at the memory that is free.
template <class File>
void read_layers(const std::string& name, const File& file, nets::FileOrder file_order) {
  constexpr std::int64_t most_elements = 1 << 22;
  const nets::NetworkParts parts = nets::network_parts(name, file.tensors());
  const nets::NetworkLayout layout = nets::layout_of(name, parts, {}, file_order);
  require(layout.layers.size() == parts.linear.size(), "no layer is lost");
  std::int64_t elements = 0, before = 0;
  std::size_t norms = 0;
  for (const nets::LayoutLayer& layer : layout.layers) {
    const std::vector<std::int64_t>& shape = layer.linear.weight.shape;
    require(before == 0 || shape[1] == before, "layers chain");
    before = shape[0];
    elements += shape[0] * shape[1];
    norms += layer.before.size() + layer.after.size();
  }
  require(norms == parts.batch_norms.size(), "no batch normalisation is lost");
  if (elements > most_elements) return;
  const auto layers = nets::layer_numbers<double>(name, file, layout, 1e-5);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::vector<std::int64_t>& shape = layout.layers[l].linear.weight.shape;
    require(layers[l].weight.rows() == shape[0] && layers[l].weight.cols() == shape[1], "weights have their shape");
    require(layers[l].bias.size() == 0 || layers[l].bias.size() == shape[0], "a bias for each output");
    require(layers[l].weight.allFinite() && layers[l].bias.allFinite(), "numbers are finite");
  }
}

}  // namespace ansatz::fuzz
