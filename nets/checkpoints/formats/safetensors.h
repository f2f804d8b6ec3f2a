// Hugging Face's safetensors: a JSON header, then the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// An open .safetensors file whose header has been read and checked as the format's reference reader does: every tensor
/// has exactly the bytes that its shape and type ask for, and every byte after the header belongs to exactly one
/// tensor. Stricter than that reader in what the format itself forbids: a key given twice, blanks before the header.
class SafetensorsFile {
 public:
  /// Throws DataError: missing, truncated, header that is not JSON or not of this format, bytes of no tensor or of two.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// In natural order of the names ("layers.2.weight" before "layers.10.weight"): the format itself keeps no order of
  /// layers, and its usual writer sorts by name as text.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  /// The bytes of one of them (little-endian, row-major).
  std::string read(const TensorInfo& tensor) const;

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;  ///< from the start of the file, once all have been checked
  };
  std::string place(const std::string& tensor) const;
  void add(const std::string& name, const std::string& type, const std::vector<std::uint64_t>& shape,
           const Range& range);
  void check_ranges(std::uint64_t data_size) const;

  std::filesystem::path path_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, Range> ranges_;
};

template <class Scalar>
struct NamedMatrix {
  std::string name;
  Matrix<Scalar> values;
  bool is_vector = false;  ///< written as a tensor of one dimension
};

/// Whole or not at all; F32 or F64 after Scalar. Names must differ. Throws OutputError.
template <class Scalar>
void write_safetensors_file(const std::filesystem::path& path, const std::vector<NamedMatrix<Scalar>>& tensors);

/// True if a comes before b when runs of digits count as numbers: "w2" < "w10".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace ansatz::nets
