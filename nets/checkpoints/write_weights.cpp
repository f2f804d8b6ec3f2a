#include "core/files/npy.h"
#include "core/files/tensors/safetensors_writer.h"
#include "nets/checkpoints/checkpoint.h"

namespace ansatz::nets {

template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network) {
  std::vector<LinearLayer<Scalar>> layers;  // kept until they are written
  for (Index layer = 1; layer <= network.layers(); ++layer)
    layers.push_back({network.weight(layer), network.bias(layer)});
  SafetensorsWriter file;
  file.add_text("format", "pt");  // PyTorch's tools ask for it
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = "layers." + std::to_string(i);
    file.add(name + ".weight", layers[i].weight);
    if (layers[i].bias.size() > 0) file.add(name + ".bias", layers[i].bias);
  }
  file.write(path);
}

template <class Scalar>
void write_weights_npy(const std::filesystem::path& prefix, const Mlp<Scalar>& network) {
  for (Index layer = 1; layer <= network.layers(); ++layer) {
    const std::string number = std::to_string(layer) + ".npy";
    write_npy<Scalar>(prefix.string() + ".W" + number, MatrixView<Scalar>(network.weight(layer)));
    if (const Vector<Scalar> bias = network.bias(layer); bias.size() > 0)
      write_npy<Scalar>(prefix.string() + ".b" + number, bias);
  }
}

template void write_safetensors<float>(const std::filesystem::path&, const Mlp<float>&);
template void write_safetensors<double>(const std::filesystem::path&, const Mlp<double>&);
template void write_weights_npy<float>(const std::filesystem::path&, const Mlp<float>&);
template void write_weights_npy<double>(const std::filesystem::path&, const Mlp<double>&);

}  // namespace ansatz::nets
