// Hugging Face's safetensors: a JSON header, then the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/files/stored_tensor.h"

namespace ansatz {

/// An open .safetensors file whose header has been read and checked as the format's reference reader does: every tensor
/// has exactly the bytes that its shape and type ask for, and every byte after the header belongs to exactly one
/// tensor. Two things that the format forbids are refused here, though not by that reader: a key given twice, and
/// blanks before the header.
class SafetensorsFile {
 public:
  /// Throws DataError if the file is missing or truncated, if the header is not JSON or not of this format, and if some
  /// bytes belong to no tensor or to two.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// Sorted by name in natural order ("layers.2.weight" before "layers.10.weight"), because the format keeps no order
  /// of layers and its usual writer sorts names as text.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  /// The bytes of one of these tensors (little-endian, row-major).
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

/// Writes the file whole or not at all, as F32 or F64 according to Scalar. Names must differ. Throws OutputError.
template <class Scalar>
void write_safetensors_file(const std::filesystem::path& path, const std::vector<NamedMatrix<Scalar>>& tensors);

/// True if a comes before b when runs of digits count as numbers: "w2" < "w10".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace ansatz
