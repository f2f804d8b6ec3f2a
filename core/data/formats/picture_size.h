// The size of a picture from its file's header, before a decoder makes room for it.
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

/// Of the bytes of a file (all of them: in a JPEG the size may stand behind a thumbnail). Absent: none of the formats.
std::optional<PictureHeader> picture_header(std::string_view bytes);

/// The largest picture that is decoded, in pixels (an eighth of a gigapixel). A small file can unpack to a larger one.
inline constexpr Index kLargestPicture = Index{1} << 27;

/// What decoding a picture takes for a moment: its pixels as bytes and as float, 3 channels each.
inline double decoding_bytes(const PictureHeader& picture) {
  return 15 * static_cast<double>(picture.height) * static_cast<double>(picture.width);
}

/// All threads together decode no more at a time, unless one picture alone is larger.
inline constexpr double kDecodingRoom = 1 << 28;

}  // namespace ansatz
