#include "core/files/npy.h"
#include "core/files/safetensors.h"
#include "nets/checkpoints/checkpoint.h"

namespace ansatz::nets {

template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network) {
  std::vector<NamedMatrix<Scalar>> tensors;
  for (Index layer = 1; layer <= network.layers(); ++layer) {
    const std::string name = "layers." + std::to_string(layer - 1);
    tensors.push_back({name + ".weight", network.weight(layer), false});
    if (const Vector<Scalar> bias = network.bias(layer); bias.size() > 0)
      tensors.push_back({name + ".bias", bias, true});
  }
  write_safetensors_file(path, tensors);
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
