// What the targets of both kinds of checkpoint do with a file that opens.
#pragma once

#include <string>

#include "nets/checkpoints/formats/tensor_info.h"
#include "nets/checkpoints/layer_order.h"
#include "tests/fuzz/fuzz.h"

namespace ansatz::fuzz {

/// Reads the weights of an open file as the program does, unless shared storages make them many times its size: the
/// program then looks at the memory that is free.
template <class File>
void read_layers(const std::string& name, const File& file, nets::FileOrder file_order) {
  constexpr std::int64_t most_elements = 1 << 22;
  nets::check_linear_weights(name, file.tensors());
  const auto layers = nets::in_layer_order(name, file.tensors(), {}, file_order);
  require(layers.size() == file.tensors().size(), "no layer is lost");
  std::int64_t elements = 0, before = 0;
  for (const nets::TensorInfo& layer : layers) {
    require(before == 0 || layer.shape[1] == before, "layers chain");
    before = layer.shape[0];
    elements += layer.shape[0] * layer.shape[1];
    if (elements > most_elements) return;
    const Matrix<double> weights = nets::to_matrix<double>(name, layer, file.read(layer));
    require(weights.rows() == layer.shape[0] && weights.cols() == layer.shape[1], "weights have the shape they claim");
    require(weights.allFinite(), "weights are finite");
  }
}

}  // namespace ansatz::fuzz
