// Images stored as bytes: the rows drawn are read, and converted row by row.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/data_source.h"
#include "core/files.h"

namespace ansatz {

/// Records of equal length, one a row: all of them, or those that were asked for.
class ByteRecords {
 public:
  /// All rows, already read.
  ByteRecords(Index length, std::string bytes) : length_(length), all_(true), bytes_(std::move(bytes)) {}
  /// Room for some `rows`, ascending.
  ByteRecords(Index length, std::vector<Index> rows);

  /// Reads those of the rows that lie among first, ..., first + count - 1; these stand in `file` one after the other
  /// from byte `offset` on. Calls follow each other by ascending `first`.
  void read(InputFile& file, std::uintmax_t offset, Index first, Index count);

  /// The bytes of a row that was asked for.
  const char* operator[](Index row) const;

 private:
  Index length_;
  bool all_ = false;
  std::vector<Index> rows_;
  std::string bytes_;
};

/// b / 255 for every byte b.
template <class Scalar>
std::array<Scalar, 256> byte_values() {
  std::array<Scalar, 256> value;
  for (std::size_t b = 0; b < value.size(); ++b) value[b] = static_cast<Scalar>(b) / Scalar(255);
  return value;
}

/// Row i: the `dimension` bytes of record i from byte `offset` on, each divided by 255 in Scalar.
template <class Scalar>
PartValues<Scalar> byte_images(std::shared_ptr<const ByteRecords> records, std::size_t offset, Index dimension) {
  PartValues<Scalar> values;
  values.read_row = [records = std::move(records), value = byte_values<Scalar>(), offset, dimension](Index row,
                                                                                                     Scalar* out) {
    const char* pixel = (*records)[row] + offset;
    for (Index j = 0; j < dimension; ++j) out[j] = value[static_cast<unsigned char>(pixel[j])];
  };
  return values;
}

/// The same of images whose planes are stored column by column (MATLAB's order, also STL-10's).
template <class Scalar>
PartValues<Scalar> column_major_byte_images(std::shared_ptr<const ByteRecords> records, const ImageShape& shape) {
  PartValues<Scalar> values;
  values.read_row = [records = std::move(records), value = byte_values<Scalar>(), shape](Index row, Scalar* out) {
    const char* pixel = (*records)[row];
    for (Index c = 0; c < shape.channels; ++c, out += shape.height * shape.width) {
      for (Index x = 0; x < shape.width; ++x) {
        for (Index y = 0; y < shape.height; ++y) out[y * shape.width + x] = value[static_cast<unsigned char>(*pixel++)];
      }
    }
  };
  return values;
}

}  // namespace ansatz
