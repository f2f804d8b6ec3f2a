// Images stored as bytes: only the drawn rows are read, and they are converted row by row.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/data/row_source.h"
#include "core/files/files.h"

namespace ansatz {

/// Records of equal length, one a row: either all of them, or only those of the rows that were asked for.
class ByteRecords {
 public:
  /// All rows, already read.
  ByteRecords(Index length, std::string bytes) : length_(length), all_(true), bytes_(std::move(bytes)) {}
  /// Makes room for these `rows`, ascending; read() fills them.
  ByteRecords(Index length, std::vector<Index> rows);

  /// Reads those of the rows that lie among first, ..., first + count - 1, whose records stand in `file` one after the
  /// other from byte `offset` on. To be called with ascending `first`.
  void read(InputFile& file, std::uintmax_t offset, Index first, Index count);

  /// The bytes of a row that was asked for.
  const char* operator[](Index row) const;

 private:
  Index length_;
  bool all_ = false;
  std::vector<Index> rows_;
  std::string bytes_;
};

/// Row i: the `dimension` bytes of record i from byte `offset` on, each divided by 255.
PartValues byte_images(std::shared_ptr<const ByteRecords> records, std::size_t offset, Index dimension);

/// The same for images whose planes are stored column by column, as in MATLAB's and STL-10's files.
PartValues column_major_byte_images(std::shared_ptr<const ByteRecords> records, const ImageShape& shape);

}  // namespace ansatz
