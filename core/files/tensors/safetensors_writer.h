// Writes Hugging Face's safetensors.
#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// A file in the making. Tensors lie in it in the order of adding; their values are borrowed until it is written. Names
/// must differ.
class SafetensorsWriter {
 public:
  /// A Matrix, or a vector of Eigen's (a tensor of one dimension), of float or double: F32 or F64.
  template <class Values>
  void add(const std::string& name, const Eigen::PlainObjectBase<Values>& values) {
    using Scalar = typename Values::Scalar;
    static_assert(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double>);
    static_assert(Values::IsVectorAtCompileTime || Values::IsRowMajor);
    const std::vector<Index> shape = Values::IsVectorAtCompileTime ? std::vector<Index>{values.size()}
                                                                   : std::vector<Index>{values.rows(), values.cols()};
    tensors_.push_back({name, sizeof(Scalar) == 4 ? "F32" : "F64", shape, reinterpret_cast<const char*>(values.data()),
                        static_cast<std::size_t>(values.size()) * sizeof(Scalar)});
  }
  void add_text(const std::string& key, const std::string& text);  ///< into __metadata__

  /// The CRC-32 of all values added so far, in decimal digits.
  std::string checksum() const;

  /// Whole or not at all. Throws OutputError.
  void write(const std::filesystem::path& path) const;

 private:
  struct Tensor {
    std::string name;
    const char* type;
    std::vector<Index> shape;
    const char* data;
    std::size_t bytes;
  };
  std::vector<Tensor> tensors_;
  std::vector<std::pair<std::string, std::string>> texts_;
};

}  // namespace ansatz
