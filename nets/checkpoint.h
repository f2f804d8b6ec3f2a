// Networks from elsewhere, and to elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/linalg.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// Weight matrices of a bias-free stack of Linear layers, first layer first (each outputs x inputs), from
///  - several .npy files (one a layer);
///  - one .safetensors, layers in natural order of their names ("layers.2.weight" before "layers.10.weight");
///  - one .pt/.pth in file order: a TorchScript module, or what torch.save wrote for a state dict (dict or OrderedDict;
///  bare
///    or under "state_dict", "model_state_dict" or "model"; zip format). The pickle is read by a reader that knows
///    tensors and plain values only: nothing in the file can run, TorchScript code included. A file does not say which
///    activation lies between the layers.
/// Every tensor must be a 2-D "...weight" of float64, float32, float16 or bfloat16, finite, and is converted to Scalar.
/// Throws DataError, naming the file and what was found: legacy (pre-1.6) format, convolutions (4-D), biases (1-D),
/// shapes that do not chain, other globals in the pickle, damaged archives.
template <class Scalar>
std::vector<Matrix<Scalar>> read_weights(const std::vector<std::filesystem::path>& files);

/// Names "layers.<i>.weight" (i from 0), and "layers.<i>.bias" where there are biases.
template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network);
/// <prefix>.W1.npy, <prefix>.W2.npy, ...
template <class Scalar>
void write_weights_npy(const std::filesystem::path& prefix, const Mlp<Scalar>& network);

}  // namespace ansatz::nets
