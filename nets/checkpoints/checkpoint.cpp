#include "nets/checkpoints/checkpoint.h"

#include <algorithm>
#include <fstream>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/files/tensors/safetensors.h"
#include "core/machine/memory.h"
#include "nets/checkpoints/formats/torch_archive.h"
#include "nets/checkpoints/layer_order.h"

namespace ansatz::nets {
namespace {

using Path = std::filesystem::path;

std::string first_bytes(const Path& path) {
  constexpr std::size_t enough = 64;
  require_regular_file(path);
  std::string bytes(enough, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError(path.string() + ": cannot be read; does the file exist?");
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}
bool is_npy(const std::string& bytes) { return starts_with(bytes, "\x93NUMPY"); }

/// Throws MemoryError if the matrices would not fit. Several views of one storage can take more memory than the file
/// has bytes.
template <class Scalar>
void require_fits(const Path& path, const std::vector<TensorInfo>& tensors) {
  double elements = 0, largest_storage = 0;
  for (const TensorInfo& tensor : tensors) {
    elements += static_cast<double>(tensor.shape[0]) * static_cast<double>(tensor.shape[1]);
    largest_storage = std::max(
        largest_storage, static_cast<double>(tensor.storage_elements) * static_cast<double>(element_size(tensor.type)));
  }
  require_memory(elements * sizeof(Scalar) + largest_storage, path.string() + ": the network");
}

/// Reads the tensors one after the other. Tensors that share a storage mostly follow each other, so the last storage
/// read is kept.
template <class Scalar, class File>
std::vector<Matrix<Scalar>> read_stack(const Path& path, const File& file, const KnownLayers& known,
                                       FileOrder file_order) {
  check_linear_weights(path.string(), file.tensors());
  const std::vector<TensorInfo> layers = in_layer_order(path.string(), file.tensors(), known, file_order);
  require_fits<Scalar>(path, layers);
  std::vector<Matrix<Scalar>> weights;
  std::string bytes;
  const TensorInfo* held = nullptr;
  for (const TensorInfo& tensor : layers) {
    if (!held || held->storage != tensor.storage) bytes = file.read(tensor);
    held = &tensor;
    weights.push_back(to_matrix<Scalar>(path.string(), tensor, bytes));
  }
  return weights;
}

template <class Scalar>
std::vector<Matrix<Scalar>> read_npy_files(const std::vector<Path>& files) {
  std::vector<Matrix<Scalar>> weights;
  for (const Path& path : files) {
    if (!is_npy(first_bytes(path))) {
      throw DataError(path.string() + ": not a .npy file; of other formats give one file with all layers");
    }
    const std::vector<Index> header_shape = read_npy_header(path).shape;
    const std::vector<std::int64_t> shape(header_shape.begin(), header_shape.end());
    if (shape.size() != 2) {
      throw DataError(path.string() + ": an array of " + shape_text(shape) +
                      ", but a layer's weights are a matrix, outputs x inputs");
    }
    weights.push_back(read_npy<Scalar>(path));
    if (weights.back().size() == 0 || !weights.back().allFinite()) {
      throw DataError(path.string() + ": the weights (" + shape_text(shape) + ") are empty, NaN or infinite");
    }
    if (weights.size() > 1 && weights[weights.size() - 2].rows() != weights.back().cols()) {
      throw DataError(path.string() + ": " + shape_text(shape) + " cannot follow a layer with " +
                      std::to_string(weights[weights.size() - 2].rows()) +
                      " outputs: its columns must equal the rows before (outputs x inputs, first layer first)");
    }
  }
  return weights;
}

}  // namespace

template <class Scalar>
std::vector<Matrix<Scalar>> read_weights(const std::vector<Path>& files, const KnownLayers& known) {
  if (files.empty()) throw DataError("no file of weights given");
  const Path& path = files.front();
  const std::string start = first_bytes(path);
  if (files.size() > 1 || is_npy(start)) return read_npy_files<Scalar>(files);
  if (starts_with(start, std::string("PK\x03\x04")))
    return read_stack<Scalar>(path, TorchArchive(path), known, FileOrder::registered);
  if (is_legacy_torch_file(start)) {
    throw DataError(
        path.string() +
        ": written in PyTorch's format from before 1.6; load it with a current PyTorch and torch.save it again");
  }
  // A safetensors file has no magic number: eight bytes of length, then JSON.
  if (path.extension() == ".safetensors" || (start.size() > 8 && start[8] == '{')) {
    return read_stack<Scalar>(path, SafetensorsFile(path), known, FileOrder::none);
  }
  throw DataError(
      path.string() +
      ": neither .npy, nor .safetensors, nor a .pt/.pth of torch.save or torch.jit.save; truncated or damaged?");
}

template std::vector<Matrix<float>> read_weights<float>(const std::vector<Path>&, const KnownLayers&);
template std::vector<Matrix<double>> read_weights<double>(const std::vector<Path>&, const KnownLayers&);

}  // namespace ansatz::nets
