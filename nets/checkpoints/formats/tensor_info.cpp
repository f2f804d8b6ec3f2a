#include "nets/checkpoints/formats/tensor_info.h"

#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

/// What can be done about elements of a type that is not computed with.
std::string way_out_of(const std::string& type) {
  const auto has = [&](const char* part) { return type.find(part) != std::string::npos; };
  if (has("Complex") || (type[0] == 'C' && type.find_first_not_of("0123456789", 1) == std::string::npos))
    return "a network of complex numbers has no counterpart here";
  if (has("F8_") || has("Float8")) return "save the network in one of these (model.float())";
  return "save the network in one of these (model.float(); a quantised one as it was before its quantisation)";
}

/// Largest storage index that a non-empty tensor touches; false on a negative stride or offset, or beyond 2^63.
bool last_index(const TensorInfo& tensor, std::int64_t& last) {
  if (tensor.offset < 0 || tensor.strides.size() != tensor.shape.size()) return false;
  last = tensor.offset;
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    std::int64_t step = 0;
    if (tensor.strides[axis] < 0 || __builtin_mul_overflow(tensor.shape[axis] - 1, tensor.strides[axis], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return false;
    }
  }
  return true;
}

void check_layout(const std::string& where, const TensorInfo& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) {
    if (size < 1) throw DataError(where + " is empty or of negative size");
    if (__builtin_mul_overflow(elements, size, &elements)) throw DataError(where + " is too large");
  }
  std::int64_t last = 0;
  if (!last_index(tensor, last) || last >= tensor.storage_elements) {
    throw DataError(where + " reaches outside its storage of " + std::to_string(tensor.storage_elements) +
                    " elements; the file is damaged");
  }
  // A view that repeats values (stride 0) could ask for any amount of memory from a file of a few bytes.
  if (elements > tensor.storage_elements) {
    throw DataError(where + " is an expanded view of " + std::to_string(tensor.storage_elements) +
                    " elements; save tensor.contiguous() instead");
  }
}

template <class Stored, class Scalar>
void copy_strided(const TensorInfo& tensor, const char* storage, Matrix<Scalar>& out) {
  const std::int64_t down = tensor.strides.empty() ? 0 : tensor.strides[0];
  const std::int64_t across = tensor.strides.size() < 2 ? 0 : tensor.strides[1];
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) {
      const std::int64_t at = tensor.offset + i * down + j * across;
      Stored value;
      std::memcpy(&value, storage + at * static_cast<std::int64_t>(sizeof(Stored)), sizeof(Stored));
      out(i, j) = static_cast<Scalar>(value);
    }
  }
}

}  // namespace

std::string place(const std::string& file, const TensorInfo& tensor) {
  return file + ": tensor '" + printable(tensor.name) + "' (" + shape_text(tensor.shape) + ")";
}

TensorInfo transposed(TensorInfo tensor) {
  std::swap(tensor.shape.at(0), tensor.shape.at(1));
  std::swap(tensor.strides.at(0), tensor.strides.at(1));
  return tensor;
}

void check_tensor(const std::string& file, const TensorInfo& tensor) {
  if (tensor.type == ElementType::other)
    throw DataError(place(file, tensor) + " has elements of type " + printable(tensor.type_name) +
                    "; float64, float32, float16 and bfloat16 are read: " + way_out_of(tensor.type_name));
  check_layout(place(file, tensor), tensor);
}

template <class Scalar>
Matrix<Scalar> to_matrix(const std::string& file, const TensorInfo& tensor, const std::string& bytes) {
  const std::string where = place(file, tensor);
  if (bytes.size() / static_cast<std::size_t>(element_size(tensor.type)) <
      static_cast<std::size_t>(tensor.storage_elements)) {
    throw DataError(where + " needs " + std::to_string(tensor.storage_elements) + " elements of " +
                    std::to_string(element_size(tensor.type)) + " bytes, but the file holds " +
                    std::to_string(bytes.size()) + " bytes of them; the file is damaged");
  }
  if (tensor.shape.size() > 2) throw std::logic_error("a tensor of more than two dimensions as a matrix");
  Matrix<Scalar> out(tensor.shape.empty() ? 1 : tensor.shape[0], tensor.shape.size() < 2 ? 1 : tensor.shape[1]);
  switch (tensor.type) {
    case ElementType::float64:
      copy_strided<double>(tensor, bytes.data(), out);
      break;
    case ElementType::float32:
      copy_strided<float>(tensor, bytes.data(), out);
      break;
    case ElementType::float16:
      copy_strided<Eigen::half>(tensor, bytes.data(), out);
      break;
    case ElementType::bfloat16:
      copy_strided<Eigen::bfloat16>(tensor, bytes.data(), out);
      break;
    case ElementType::other:
      throw std::logic_error("numbers of a type that check_tensor refuses");
  }
  if (!out.allFinite()) {
    throw DataError(where +
                    " holds NaN or infinite values (did its training diverge, or is float32 too narrow for it?)");
  }
  return out;
}

template Matrix<float> to_matrix<float>(const std::string&, const TensorInfo&, const std::string&);
template Matrix<double> to_matrix<double>(const std::string&, const TensorInfo&, const std::string&);

}  // namespace ansatz::nets
