// The tensors of a network as the layers that they belong to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// y = W x + b. With weight normalisation (Salimans and Kingma 2016), W = g V / |V|, the norm taken over each row, each
/// column or the whole of V, as the shape of g says: k x 1, 1 x d or a number.
struct LinearTensors {
  std::string name;                     ///< the module's: "body.fc1"
  TensorInfo weight;                    ///< W, or V; k x d
  std::optional<TensorInfo> magnitude;  ///< g
  std::optional<TensorInfo> bias;       ///< k
};

/// y = weight (x - mean) / sqrt(variance + epsilon) + bias, entry by entry: what BatchNorm1d does in inference.
struct BatchNormTensors {
  std::string name;
  TensorInfo mean, variance;               ///< k
  std::optional<TensorInfo> weight, bias;  ///< k; absent: 1 and 0
  std::optional<double> epsilon;           ///< where the file says it
};

struct NetworkParts {
  std::vector<LinearTensors> linear;  ///< both in the order of their first tensors in the file
  std::vector<BatchNormTensors> batch_norms;
  std::vector<std::size_t> linear_before;  ///< for each batch norm, how many Linear layers stand before it in the file
};

/// Which networks can be read, for messages.
inline constexpr const char* only_linear =
    "only stacks of Linear layers can be read (with or without biases, BatchNorm1d and weight_norm)";

/// Whether a tensor of that shape can hold the magnitudes of these directions.
bool is_magnitude_of(const TensorInfo& magnitude, const TensorInfo& direction);

/// "" or, if the names begin with those of several parts of a larger model, what to do if not all of them are meant.
std::string hint_at_parts(const std::vector<TensorInfo>& tensors);

/// Groups tensors by the part of their names before "weight", "bias", "running_mean" and so on. Every tensor must find
/// its place, but for the counts that PyTorch keeps beside them ("num_batches_tracked", "n_averaged"). Throws DataError
/// naming `file`, the tensor and its shape for convolutions, other normalisations, other parametrisations, biases
/// without weights, shapes that do not fit together, a name that occurs twice, tensors that check_tensor() refuses, and
/// if there is no Linear layer at all.
NetworkParts network_parts(const std::string& file, const std::vector<TensorInfo>& tensors);

}  // namespace ansatz::nets
