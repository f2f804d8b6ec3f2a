// What a checkpoint says about one tensor before its numbers are read, and its numbers.
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

/// "FILE: tensor 'NAME' (SHAPE)", for messages.
std::string place(const std::string& file, const TensorInfo& tensor);

/// The tensor with its two dimensions exchanged.
TensorInfo transposed(TensorInfo tensor);

/// Checks that a tensor is floating-point, not empty, and within its storage. Throws DataError naming `file`, the
/// tensor and its shape.
void check_tensor(const std::string& file, const TensorInfo& tensor);

/// The tensor (one that passed `check_tensor`, of at most two dimensions; one of fewer is a column) as a matrix of
/// Scalar, from the little-endian bytes of its storage. Throws DataError if `bytes` is shorter than the storage should
/// be, or an entry is NaN or infinite (after conversion).
template <class Scalar>
Matrix<Scalar> to_matrix(const std::string& file, const TensorInfo& tensor, const std::string& bytes);

}  // namespace ansatz::nets
