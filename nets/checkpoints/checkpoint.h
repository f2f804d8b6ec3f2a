// Reads networks that other programs have saved, and writes networks for other programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "nets/mlp.h"

namespace ansatz::nets {

/// Where batch normalisations between two layers stand.
enum class BatchNormPlace { before_activation, after_activation };

/// What is known about the network in a file besides what the file says.
struct KnownLayers {
  std::vector<std::string> names;  ///< first layer first, batch normalisations among them or not; empty: shapes,
                                   ///< numbers in the names and the file's order must decide
  Index inputs = 0, outputs = 0;   ///< of the network; 0: not known
  std::string
      part;  ///< the entry of the file, or the beginning of names, that is the network; empty: found, or the whole
  std::optional<Activation> activation;
  std::optional<BatchNormPlace> batch_norm;
  std::optional<double> batch_norm_epsilon;  ///< where the file does not say it; none: PyTorch's default, 1e-5
};

/// What a file turned out to hold.
struct CheckpointOutline {
  std::vector<Index> widths;  ///< d, k_1, ..., c
  Activation activation = Activation::relu;
  std::string reading;  ///< "784–256–10, relu assumed, biases in every layer, from keys fc1, fc2"
  /// What neither the file nor KnownLayers says, and reading it so may be wrong: "the activation relu". Empty: nothing.
  std::string assumed;
};

template <class Scalar>
struct Checkpoint {
  CheckpointOutline outline;
  std::vector<LinearLayer<Scalar>> layers;  ///< first layer first
};

/// A stack of Linear layers, from
/// - several .npy files: a matrix for each layer, outputs x inputs, each followed by its vector of biases, if it has
/// any;
/// - one .safetensors;
/// - one .pt/.pth: a TorchScript module, or what torch.save wrote for a state dict (dict or OrderedDict; bare or under
///   "state_dict", "model_state_dict", "model" or a key of its own; zip format). Nothing in the file can run: what is
///   no tensor and no plain value is kept as data and passed over, and TorchScript code is read as text.
/// Layers may have biases. Batch normalisations (with the statistics that they use in inference) and weight_norm are
/// folded into the layers exactly. TorchScript code says which activation lies between the layers and in which order
/// they are applied; no other file does: the activation is then known.activation or relu, and for the order see
/// nets/checkpoints/layer_order.h. Tensors are of float64, float32, float16 or bfloat16 with finite entries and are
/// converted to Scalar.
/// Throws ConfigError beginning with the option in backquotes, where the file leaves open what `layer_names`,
/// `batch_norm` or `checkpoint_key` can say, or where its code contradicts `activation`. Throws DataError, naming the
/// file and what was found, for the legacy format (before PyTorch 1.6), whole pickled modules, convolutions, other
/// normalisations, TorchScript code that is no plain stack, layers whose shapes do not fit together, and damaged
/// archives. MemoryError if the weights would not fit.
template <class Scalar>
Checkpoint<Scalar> read_checkpoint(const std::vector<std::filesystem::path>& files, const KnownLayers& known = {});

/// What read_checkpoint() would read, from the files' headers.
CheckpointOutline checkpoint_outline(const std::vector<std::filesystem::path>& files, const KnownLayers& known = {});

/// Writes tensors named "layers.<i>.weight" (i from 0), and "layers.<i>.bias" of layers that have biases.
template <class Scalar>
void write_safetensors(const std::filesystem::path& path, const Mlp<Scalar>& network);
/// Writes <prefix>.W1.npy, <prefix>.W2.npy, ..., and <prefix>.b1.npy, ... of layers that have biases.
template <class Scalar>
void write_weights_npy(const std::filesystem::path& prefix, const Mlp<Scalar>& network);

}  // namespace ansatz::nets
