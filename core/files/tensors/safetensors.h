// Hugging Face's safetensors: a JSON header, then the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/files/json_value.h"
#include "core/files/tensors/stored_tensor.h"

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

  /// __metadata__, text by name.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  JsonValue metadata_json(const std::string& key) const;  ///< one of them, read as JSON; DataError if it is not there
  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& tensor) const { return ranges_.count(tensor) > 0; }
  /// The values of a tensor that must be of type Scalar, finite, and of these sizes; `cols` 0: of one dimension, which
  /// makes it rows x 1. -1: of any size there. DataError naming the tensor otherwise, or if it is not there.
  template <class Scalar>
  Matrix<Scalar> matrix(const std::string& tensor, Index rows, Index cols) const;
  /// The CRC-32 of all bytes after the header, in decimal digits.
  std::string data_checksum() const;

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
  std::map<std::string, std::string> metadata_;
  std::uint64_t data_begin_ = 0;
};

/// True if a comes before b when runs of digits count as numbers: "w2" < "w10".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace ansatz
