// Image files a test can write and read without a decoder.
#pragma once

#include <stdexcept>

#include "core/data/formats/decoded_image.h"
#include "tests/support/temporary_folder.h"

/// "Decodes" a file whose bytes are height, width and the value of every pixel in hundredths.
inline ansatz::DecodedImage read_plain_image(const std::filesystem::path& path) {
  const std::string text = read_bytes(path);
  if (text.size() != 3) throw std::runtime_error("not an image");
  ansatz::DecodedImage image{{3, text[0], text[1]}, {}};
  image.planes.assign(static_cast<std::size_t>(image.shape.size()), static_cast<float>(text[2]) / 100);
  return image;
}
