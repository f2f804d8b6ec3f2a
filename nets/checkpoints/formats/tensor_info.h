// The rules that weights of Linear layers keep, and their numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/printable_text.h"
#include "core/files/tensors/stored_tensor.h"

namespace ansatz::nets {

/// Text from a file, for an error message: printable, and cut after 100 bytes.
inline std::string printable(std::string_view text) { return ansatz::printable(text, 100); }

/// Which networks can be read, for messages.
inline constexpr const char* only_linear =
    "only bias-free stacks of Linear layers can be read (torch.nn.Linear(..., bias=False) with ReLU between)";

/// Checks that each tensor is the weight of a bias-free Linear layer: 2-D, floating-point, named "weight" or
/// "<anything>weight", and within its storage. Throws DataError naming `file`, the tensor and its shape for biases,
/// convolutions, normalisation layers and anything else, for a name that occurs twice, and if there is no tensor at
/// all.
void check_linear_weights(const std::string& file, const std::vector<TensorInfo>& tensors);

/// The tensor (one that passed `check_linear_weights`) as a matrix of Scalar, from the little-endian bytes of its
/// storage. Throws DataError if `bytes` is shorter than the storage should be, or an entry is NaN or infinite (after
/// conversion).
template <class Scalar>
Matrix<Scalar> to_matrix(const std::string& file, const TensorInfo& tensor, const std::string& bytes);

}  // namespace ansatz::nets
