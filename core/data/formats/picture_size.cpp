#include "core/data/formats/picture_size.h"

#include <array>
#include <cctype>
#include <charconv>

namespace ansatz {
namespace {

using Bytes = std::string_view;
using namespace std::string_view_literals;

/// The number in the `count` bytes from `at` on; 0 if they lie beyond the end.
Index number(Bytes bytes, std::size_t at, int count, bool big_endian) {
  if (at > bytes.size() || bytes.size() - at < static_cast<std::size_t>(count)) return 0;
  Index value = 0;
  for (int i = 0; i < count; ++i) {
    const int place = big_endian ? i : count - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(place)]);
  }
  return value;
}

bool starts_with(Bytes bytes, Bytes start, std::size_t at = 0) {
  return bytes.size() >= at && bytes.substr(at, start.size()) == start;
}

/// A JPEG has segments (marker, length, content) up to the start of a frame, which states the size.
PictureHeader jpeg(Bytes bytes) {
  PictureHeader header{PictureFormat::jpeg};
  for (std::size_t at = 2; at + 4 <= bytes.size();) {
    if (bytes[at] != '\xFF') break;
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    if (marker == 0xFF) {  // fill bytes
      ++at;
      continue;
    }
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) {
      header.height = number(bytes, at + 5, 2, true);
      header.width = number(bytes, at + 7, 2, true);
      break;
    }
    const bool alone = marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    at += 2 + (alone ? 0 : static_cast<std::size_t>(number(bytes, at + 2, 2, true)));
  }
  return header;
}

PictureHeader png(Bytes bytes) { return {PictureFormat::png, number(bytes, 20, 4, true), number(bytes, 16, 4, true)}; }

Index magnitude_of_int32(Index value) { return value >= Index{1} << 31 ? (Index{1} << 32) - value : value; }

PictureHeader bmp(Bytes bytes) {
  if (number(bytes, 14, 4, false) == 12)  // of OS/2
    return {PictureFormat::bmp, number(bytes, 20, 2, false), number(bytes, 18, 2, false)};
  return {PictureFormat::bmp, magnitude_of_int32(number(bytes, 22, 4, false)), number(bytes, 18, 4, false)};
}

PictureHeader webp(Bytes bytes) {
  PictureHeader header{PictureFormat::webp};
  const Bytes kind = bytes.substr(12, 4);
  if (kind == "VP8 ") {
    header.width = number(bytes, 26, 2, false) & 0x3FFF;
    header.height = number(bytes, 28, 2, false) & 0x3FFF;
  } else if (kind == "VP8L" && bytes.size() >= 25) {
    const Index bits = number(bytes, 21, 4, false);
    header.width = (bits & 0x3FFF) + 1;
    header.height = (bits >> 14 & 0x3FFF) + 1;
  } else if (kind == "VP8X" && bytes.size() >= 30) {
    header.width = number(bytes, 24, 3, false) + 1;
    header.height = number(bytes, 27, 3, false) + 1;
  }
  return header;
}

/// Entries 256 (width) and 257 (height) of the first directory; an entry is tag, type (3: 16 bits, 4: 32), count,
/// value.
PictureHeader tiff(Bytes bytes) {
  const bool big_endian = bytes[0] == 'M';
  PictureHeader header{PictureFormat::tiff};
  const auto directory = static_cast<std::size_t>(number(bytes, 4, 4, big_endian));
  const Index entries = number(bytes, directory, 2, big_endian);
  for (Index i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * static_cast<std::size_t>(i);
    const Index tag = number(bytes, entry, 2, big_endian);
    const Index value = number(bytes, entry + 8, number(bytes, entry + 2, 2, big_endian) == 3 ? 2 : 4, big_endian);
    if (tag == 256) header.width = value;
    if (tag == 257) header.height = value;
  }
  return header;
}

/// P1 to P6, then width and height in decimal digits; comments go from # to the end of a line.
PictureHeader pnm(Bytes bytes) {
  std::array<Index, 2> sides{};
  std::size_t at = 2;
  for (Index& side : sides) {
    while (at < bytes.size() && (std::isspace(static_cast<unsigned char>(bytes[at])) || bytes[at] == '#'))
      at = bytes[at] == '#' ? std::min(bytes.find('\n', at), bytes.size()) : at + 1;
    const auto [rest, error] = std::from_chars(bytes.data() + at, bytes.data() + bytes.size(), side);
    if (error != std::errc() || side < 0 || rest == bytes.data() + bytes.size()) return {PictureFormat::pnm};
    at = static_cast<std::size_t>(rest - bytes.data());
  }
  return {PictureFormat::pnm, sides[1], sides[0]};
}

}  // namespace

std::optional<PictureHeader> picture_header(Bytes bytes) {
  if (starts_with(bytes, "\xFF\xD8\xFF"sv)) return jpeg(bytes);
  if (starts_with(bytes, "\x89PNG\r\n\x1A\n"sv)) return png(bytes);
  if (starts_with(bytes, "BM"sv) && bytes.size() >= 26) return bmp(bytes);
  if (starts_with(bytes, "RIFF"sv) && starts_with(bytes, "WEBP"sv, 8)) return webp(bytes);
  if (starts_with(bytes, "II*\0"sv) || starts_with(bytes, "MM\0*"sv)) return tiff(bytes);
  if (bytes.size() > 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
      std::isspace(static_cast<unsigned char>(bytes[2])))
    return pnm(bytes);
  return std::nullopt;
}

}  // namespace ansatz
