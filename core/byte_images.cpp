#include "core/byte_images.h"

#include <algorithm>
#include <utility>

namespace ansatz {

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

}  // namespace ansatz
