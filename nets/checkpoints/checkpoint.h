// Reads networks that other programs have saved, and writes networks for other programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// What is known about the layers of a file besides what the file says.
struct KnownLayers {
  std::vector<std::string> names;  ///< first layer first; empty: shapes and numbers in the names must decide
  Index inputs = 0, outputs = 0;   ///< of the network; 0: not known
};

/// Weight matrices of a bias-free stack of Linear layers, first layer first (each outputs x inputs), from
/// - several .npy files (one a layer);
/// - one .safetensors;
/// - one .pt/.pth: a TorchScript module, or what torch.save wrote for a state dict (dict or OrderedDict; bare or under
///   "state_dict", "model_state_dict" or "model"; zip format). The pickle is read by a reader that knows only tensors
///   and plain values: nothing in the file can run, not even TorchScript code.
/// No file says which activation lies between the layers. A file that holds all layers does not say in which order they
/// are applied, either; nets/checkpoints/layer_order.h finds it, or a ConfigError asks for `layer_names`. Every tensor
/// must be a 2-D "...weight" of float64, float32, float16 or bfloat16 with finite entries; it is converted to Scalar.
/// Throws DataError, naming the file and what was found, for the legacy format (before PyTorch 1.6), convolutions
/// (4-D), biases (1-D), layers whose shapes do not fit together, other globals in the pickle, and damaged archives.
/// MemoryError if the weights would not fit.
template <class Scalar>
std::vector<Matrix<Scalar>> read_weights(const std::vector<std::filesystem::path>& files,
                                         const KnownLayers& known = {});

/// Writes tensors named "layers.<i>.weight" (i from 0), and "layers.<i>.bias" if there are biases.
template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network);
/// Writes <prefix>.W1.npy, <prefix>.W2.npy, ...
template <class Scalar>
void write_weights_npy(const std::filesystem::path& prefix, const Mlp<Scalar>& network);

}  // namespace ansatz::nets
