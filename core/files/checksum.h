// The CRC-32 of data that is written, by which damage is noticed when the data is read back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace ansatz {

class Checksum {
 public:
  void add(const void* data, std::size_t bytes);
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string text() const { return std::to_string(crc_); }  ///< decimal

 private:
  unsigned long crc_ = 0;
};

/// The checksum of the values as they lie in memory, row by row. It does not include the shape.
template <class Scalar>
std::string checksum(const Matrix<Scalar>& a) {
  Checksum sum;
  sum.add(a.data(), static_cast<std::size_t>(a.size()) * sizeof(Scalar));
  return sum.text();
}

}  // namespace ansatz
