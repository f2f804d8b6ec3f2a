#include "nets/checkpoints/formats/tensor_info.h"

#include <cstring>
#include <stdexcept>
#include <unordered_set>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/// What a tensor probably is if it is not the weight of a Linear layer; empty if it is.
std::string why_not_linear(const TensorInfo& tensor) {
  if (ends_with(tensor.name, "bias")) return "is a bias";
  for (const char* statistic : {"running_mean", "running_var", "num_batches_tracked"}) {
    if (ends_with(tensor.name, statistic)) return "belongs to a batch normalisation";
  }
  if (!ends_with(tensor.name, "weight")) return "is not the weight of a Linear layer";
  if (tensor.shape.size() == 1) return "belongs to a normalisation layer";
  if (tensor.shape.size() >= 3) return "is the weight of a convolution";
  if (tensor.shape.size() != 2) return "is not a matrix";
  if (tensor.type == ElementType::other) return "has elements of type " + printable(tensor.type_name);
  return "";
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
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) {
      const std::int64_t at = tensor.offset + i * tensor.strides[0] + j * tensor.strides[1];
      Stored value;
      std::memcpy(&value, storage + at * static_cast<std::int64_t>(sizeof(Stored)), sizeof(Stored));
      out(i, j) = static_cast<Scalar>(value);
    }
  }
}

std::string place(const std::string& file, const TensorInfo& tensor) {
  return file + ": tensor '" + printable(tensor.name) + "' (" + shape_text(tensor.shape) + ")";
}

}  // namespace

void check_linear_weights(const std::string& file, const std::vector<TensorInfo>& tensors) {
  std::unordered_set<std::string> names;
  for (const TensorInfo& tensor : tensors) {
    const std::string where = place(file, tensor);
    const std::string reason = why_not_linear(tensor);
    if (!reason.empty()) throw DataError(where + " " + reason + "; " + only_linear);
    if (!names.insert(tensor.name).second) throw DataError(where + " appears twice; the file is damaged");
    check_layout(where, tensor);
  }
  if (tensors.empty()) throw DataError(file + ": no weights found; " + only_linear);
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
  Matrix<Scalar> out(tensor.shape[0], tensor.shape[1]);
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
      throw std::logic_error("numbers of a type that check_linear_weights refuses");
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
