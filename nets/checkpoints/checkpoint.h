// Networks from elsewhere, and to elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// What is known about the layers of a file besides what it says.
struct KnownLayers {
  std::vector<std::string> names;  ///< first layer first; empty: shapes and numbers in the names must decide
  Index inputs = 0, outputs = 0;   ///< of the network; 0: not known
};

/// Weight matrices of a bias-free stack of Linear layers, first layer first (each outputs x inputs), from
///  - several .npy files (one a layer);
///  - one .safetensors;
///  - one .pt/.pth: a TorchScript module, or what torch.save wrote for a state dict (dict or OrderedDict; bare or under
///    "state_dict", "model_state_dict" or "model"; zip format). The pickle is read by a reader that knows tensors and
///    plain values only: nothing in the file can run, TorchScript code included. A file does not say which activation
///    lies between the layers.
/// Files of all layers do not say in which order these are applied. It is that of known.names; else the only one in
/// which their shapes chain from known.inputs to known.outputs; else the only one of these in which numbers that alone
/// tell names apart rise ("fc2" before "fc10"); else a ConfigError asks for `layer_names` (see
/// nets/checkpoints/layer_order.h). Every tensor must be a 2-D "...weight" of float64, float32, float16 or bfloat16,
/// finite, and is converted to Scalar. Throws DataError, naming the file and what was found: legacy (pre-1.6) format,
/// convolutions (4-D), biases (1-D), shapes that do not chain, other globals in the pickle, damaged archives.
/// MemoryError if they would not fit.
template <class Scalar>
std::vector<Matrix<Scalar>> read_weights(const std::vector<std::filesystem::path>& files,
                                         const KnownLayers& known = {});

/// Names "layers.<i>.weight" (i from 0), and "layers.<i>.bias" where there are biases.
template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network);
/// <prefix>.W1.npy, <prefix>.W2.npy, ...
template <class Scalar>
void write_weights_npy(const std::filesystem::path& prefix, const Mlp<Scalar>& network);

}  // namespace ansatz::nets
