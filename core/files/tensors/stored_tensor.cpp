#include "core/files/tensors/stored_tensor.h"

namespace ansatz {

std::int64_t element_size(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return 8;
    case ElementType::float32:
      return 4;
    case ElementType::float16:
    case ElementType::bfloat16:
      return 2;
    case ElementType::other:
      break;
  }
  return 0;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    if (strides[axis] < 0 || __builtin_mul_overflow(strides[axis], shape[axis], &strides[axis - 1])) {
      strides[axis - 1] = -1;
    }
  }
  return strides;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t size : shape) {
    if (!text.empty()) text += " x ";
    text += std::to_string(size);
    if (text.size() > 100) return text + " x ...";
  }
  return text;
}

}  // namespace ansatz
