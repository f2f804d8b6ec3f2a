// What a checkpoint says about one tensor before its numbers are read, and the rules that weights of Linear layers
// keep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::nets {

enum class ElementType { float64, float32, float16, bfloat16, other };  ///< other: integers, booleans, float8, ...

/// Bytes of one element; 0 for ElementType::other.
std::int64_t element_size(ElementType type);

/// Element (i, j, ...) lies at storage[offset + i*strides[0] + j*strides[1] + ...]; all counted in elements. Several
/// tensors may share a storage. Nothing here is checked until `check_linear_weights` and `to_matrix`.
struct TensorInfo {
  std::string name;
  ElementType type = ElementType::other;
  std::string type_name;  ///< as the file spells it
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  std::string storage;  ///< the key by which the file's reader finds the storage
  std::int64_t storage_elements = 0;
};

/// Row-major strides of a shape. Dimensions must not be negative; a product beyond 2^63 gives -1 in its place.
std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape);

/// "3 x 4"; "scalar" for no dimensions.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Text from a file, made safe for an error message: control characters are replaced, and it is cut at 100 characters.
std::string printable(std::string_view text);

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
