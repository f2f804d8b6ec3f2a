#include "core/data/formats/byte_images.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ansatz {
namespace {

/// b / 255 for every byte b.
template <class Scalar>
const std::array<Scalar, 256>& byte_values() {
  static const std::array<Scalar, 256> values = [] {
    std::array<Scalar, 256> value;
    for (std::size_t b = 0; b < value.size(); ++b) value[b] = static_cast<Scalar>(b) / Scalar(255);
    return value;
  }();
  return values;
}

}  // namespace

ByteRecords::ByteRecords(Index length, std::vector<Index> rows)
    : length_(length), rows_(std::move(rows)), bytes_(rows_.size() * static_cast<std::size_t>(length), '\0') {}

void ByteRecords::read(InputFile& file, std::uintmax_t offset, Index first, Index count) {
  const auto begin = std::lower_bound(rows_.begin(), rows_.end(), first),
             end = std::lower_bound(begin, rows_.end(), first + count);
  for (auto row = begin; row != end;) {
    auto next = row + 1;  // rows that follow each other are read at once
    while (next != end && *next == *(next - 1) + 1) ++next;
    file.seek(offset + static_cast<std::uintmax_t>((*row - first) * length_));
    file.read_exactly(bytes_.data() + (row - rows_.begin()) * length_,
                      static_cast<std::size_t>((next - row) * length_));
    row = next;
  }
}

const char* ByteRecords::operator[](Index row) const {
  const Index place = all_ ? row : std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin();
  return bytes_.data() + place * length_;
}

PartValues byte_images(std::shared_ptr<const ByteRecords> records, std::size_t offset, Index dimension) {
  PartValues values;
  values.read_row = row_reader([records = std::move(records), offset, dimension](Index row, auto* out) {
    const auto& value = byte_values<std::decay_t<decltype(*out)>>();
    const char* pixel = (*records)[row] + offset;
    for (Index j = 0; j < dimension; ++j) out[j] = value[static_cast<unsigned char>(pixel[j])];
  });
  return values;
}

PartValues column_major_byte_images(std::shared_ptr<const ByteRecords> records, const ImageShape& shape) {
  PartValues values;
  values.read_row = row_reader([records = std::move(records), shape](Index row, auto* out) {
    const auto& value = byte_values<std::decay_t<decltype(*out)>>();
    const char* pixel = (*records)[row];
    for (Index c = 0; c < shape.channels; ++c, out += shape.height * shape.width) {
      for (Index x = 0; x < shape.width; ++x) {
        for (Index y = 0; y < shape.height; ++y) out[y * shape.width + x] = value[static_cast<unsigned char>(*pixel++)];
      }
    }
  });
  return values;
}

}  // namespace ansatz
