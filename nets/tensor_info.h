// What a checkpoint says about one tensor before its numbers are read, and the rules a stack of Linear layers must
// keep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/linalg.h"

namespace ansatz::nets {

enum class ElementType { float64, float32, float16, bfloat16, other };  ///< other: integers, booleans, float8, ...

/// Bytes of one element; 0 for ElementType::other.
std::int64_t element_size(ElementType type);

/// Element (i, j, ...) lies at storage[offset + i*strides[0] + j*strides[1] + ...]; all counted in elements. Several
/// tensors may share a storage. Nothing here is checked until `check_linear_stack` and `to_matrix`.
struct TensorInfo {
  std::string name;
  ElementType type = ElementType::other;
  std::string type_name;  ///< as the file spells it
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  std::string storage;  ///< key for the reader of the file
  std::int64_t storage_elements = 0;
};

/// Row-major strides of a shape. Dimensions must not be negative; a product beyond 2^63 gives -1 in its place.
std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape);

/// "3 x 4"; "scalar" for no dimensions.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Text of a file made fit for an error line: control characters replaced, cut at 100 characters.
std::string printable(std::string_view text);

/// Checks that these are the weights of a bias-free stack of Linear layers, in the order given: every tensor is 2-D,
/// floating, named "weight" or
/// "<anything>weight", lies within its storage, and each has as many columns as the one before has rows.
/// Throws DataError naming `file`, the tensor and its shape: biases, convolutions, normalisation layers, anything else;
/// the same name twice; no tensor at all.
void check_linear_stack(const std::string& file, const std::vector<TensorInfo>& tensors);

/// The tensor (one that passed `check_linear_stack`) as a matrix of Scalar, from the little-endian bytes of its
/// storage. Throws DataError if `bytes` is shorter than the storage should be, or an entry is NaN or infinite (after
/// conversion).
template <class Scalar>
Matrix<Scalar> to_matrix(const std::string& file, const TensorInfo& tensor, const std::string& bytes);

}  // namespace ansatz::nets
