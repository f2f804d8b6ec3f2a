// What a file of tensors says about one of them before its numbers are read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ansatz {

enum class ElementType { float64, float32, float16, bfloat16, other };  ///< other: integers, booleans, float8, ...

/// Bytes of one element; 0 for ElementType::other.
std::int64_t element_size(ElementType type);

/// Element (i, j, ...) lies at storage[offset + i*strides[0] + j*strides[1] + ...]; all counted in elements. Several
/// tensors may share a storage. Nothing here is checked.
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

}  // namespace ansatz
