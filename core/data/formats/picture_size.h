// The size of a picture from its file's header, to be checked before a decoder allocates memory for the picture.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace ansatz {

enum class PictureFormat { jpeg, png, bmp, webp, tiff, pnm };

struct PictureHeader {
  PictureFormat format;
  Index height = 0, width = 0;  ///< 0: the header does not say, or is cut short
};

/// Reads the header in a file's bytes. Give all bytes: in a JPEG the size may stand behind a thumbnail. The result is
/// absent if the file has none of these formats.
std::optional<PictureHeader> picture_header(std::string_view bytes);

/// The largest picture that is decoded, in pixels (an eighth of a gigapixel). Even a small file can unpack to more.
inline constexpr Index kLargestPicture = Index{1} << 27;

/// The memory that decoding a picture takes for a moment: its pixels as bytes and as float, 3 channels each.
inline double decoding_bytes(const PictureHeader& picture) {
  return 15 * static_cast<double>(picture.height) * static_cast<double>(picture.width);
}

/// The most memory that all threads together use for decoding at a time, unless a single picture needs more.
inline constexpr double kDecodingRoom = 1 << 28;

}  // namespace ansatz
