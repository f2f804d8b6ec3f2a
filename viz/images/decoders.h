// Decodes JPEG and PNG by libjpeg and libpng, which say what is wrong with a file, while OpenCV returns grey pixels.
// Internal to viz/.
#pragma once

#include <string_view>

#include "viz/images/feature_image.h"

namespace ansatz::viz {

/// The same pixels that OpenCV gives (8 bits, RGB; alpha dropped, grey and CMYK converted). Throws DataError for an
/// error, and for a warning about the picture's data: missing or superfluous bytes, or a wrong checksum. The message is
/// the library's and does not have the file's name.
Image decode_jpeg(std::string_view bytes);
Image decode_png(std::string_view bytes);

}  // namespace ansatz::viz
