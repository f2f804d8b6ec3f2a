// An image decoded from its file. viz/ has the decoder (OpenCV); core gets it as a function, and so needs no OpenCV.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

struct DecodedImage {
  ImageShape shape;           ///< 3 channels (R, G, B), size as stored
  std::vector<float> planes;  ///< channel, row, column; 0..1
};

/// Decodes an image file (JPEG, PNG, ...). Called from several threads at once; whatever it throws becomes a DataError
/// naming the file.
using ImageReader = std::function<DecodedImage(const std::filesystem::path&)>;

}  // namespace ansatz
