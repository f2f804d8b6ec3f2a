// JPEG and PNG through their own libraries, which say what is wrong with a file where OpenCV returns grey pixels.
// Internal to viz/.
#pragma once

#include <string_view>

#include "viz/images/feature_image.h"

namespace ansatz::viz {

/// The pixels that OpenCV decodes them to (8 bits, RGB; alpha dropped, grey and CMYK converted). DataError with the
/// library's words, without the file's name, for an error and for a warning about the picture's data: bytes are missing
/// or more than they should be, checksums that do not fit.
Image decode_jpeg(std::string_view bytes);
Image decode_png(std::string_view bytes);

}  // namespace ansatz::viz
