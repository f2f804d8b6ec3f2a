// The numbers of a network's layers, read from an open file and folded into weights and biases.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/machine/memory.h"
#include "nets/checkpoints/fold.h"
#include "nets/checkpoints/network_layout.h"

namespace ansatz::nets {

/// Reads tensors one after the other. Those that share a storage mostly follow each other, so the last storage read is
/// kept. `File` has read(tensor), which gives the bytes of the tensor's storage.
template <class File>
class TensorReader {
 public:
  TensorReader(std::string path, const File& file) : path_(std::move(path)), file_(file) {}

  template <class Scalar>
  Matrix<Scalar> matrix(const TensorInfo& tensor) {
    if (bytes_.empty() || held_ != tensor.storage) bytes_ = file_.read(tensor);
    held_ = tensor.storage;
    return to_matrix<Scalar>(path_, tensor, bytes_);
  }

  Vector<double> vector(const TensorInfo& tensor) { return matrix<double>(tensor).col(0); }

  EntrywiseMap map_of(const BatchNormTensors& norm, double epsilon) {
    const Index size = norm.mean.shape[0];
    const Vector<double> weight = norm.weight ? vector(*norm.weight) : Vector<double>(Vector<double>::Ones(size));
    const Vector<double> bias = norm.bias ? vector(*norm.bias) : Vector<double>(Vector<double>::Zero(size));
    return batch_norm_map(place(path_, norm.variance), vector(norm.mean), vector(norm.variance), weight, bias,
                          norm.epsilon.value_or(epsilon));
  }

 private:
  std::string path_;
  const File& file_;
  std::string bytes_, held_;
};

/// Throws MemoryError if the layers would not fit. Several views of one storage can take more memory than the file has
/// bytes.
template <class Scalar>
void require_fits(const std::string& path, const NetworkLayout& layout) {
  double elements = 0, largest_storage = 0;
  for (const LayoutLayer& layer : layout.layers) {
    const TensorInfo& weight = layer.linear.weight;
    elements += static_cast<double>(weight.shape[0]) * static_cast<double>(weight.shape[1]);
    largest_storage = std::max(
        largest_storage, static_cast<double>(weight.storage_elements) * static_cast<double>(element_size(weight.type)));
  }
  require_memory(elements * sizeof(Scalar) + largest_storage, path + ": the network");
}

template <class Scalar, class File>
LinearLayer<Scalar> folded_layer(TensorReader<File>& reader, const LayoutLayer& layer, double epsilon) {
  const LinearTensors& linear = layer.linear;
  Matrix<double> weight = reader.template matrix<double>(linear.weight);
  if (linear.magnitude) weight = normalized_weight(reader.template matrix<double>(*linear.magnitude), weight);
  Vector<double> bias;
  if (linear.bias) bias = reader.vector(*linear.bias);
  for (std::size_t i = layer.before.size(); i-- > 0;)
    fold_before(reader.map_of(layer.before[i], epsilon), weight, bias);
  for (const BatchNormTensors& norm : layer.after) fold_after(reader.map_of(norm, epsilon), weight, bias);
  return {weight.cast<Scalar>(), bias.cast<Scalar>()};
}

/// `epsilon`: of batch normalisations that do not say it. Throws DataError if a number is not finite, or not after
/// folding.
template <class Scalar, class File>
std::vector<LinearLayer<Scalar>> layer_numbers(const std::string& path, const File& file, const NetworkLayout& layout,
                                               double epsilon) {
  require_fits<Scalar>(path, layout);
  TensorReader<File> reader(path, file);
  std::vector<LinearLayer<Scalar>> layers;
  for (const LayoutLayer& layer : layout.layers) {
    const LinearTensors& linear = layer.linear;
    if (linear.magnitude || !layer.before.empty() || !layer.after.empty()) {
      layers.push_back(folded_layer<Scalar>(reader, layer, epsilon));
    } else {
      layers.push_back({reader.template matrix<Scalar>(linear.weight), {}});
      if (linear.bias) layers.back().bias = reader.template matrix<Scalar>(*linear.bias).col(0);
    }
    if (!layers.back().weight.allFinite() || !layers.back().bias.allFinite())
      throw DataError(place(path, linear.weight) + " is not finite once its normalisations are folded in");
  }
  return layers;
}

}  // namespace ansatz::nets
