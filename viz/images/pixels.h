// Converts between Image and OpenCV, and reads and writes the chunks of PNG files. Internal to viz/.
#pragma once

#include <opencv2/core.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "viz/images/feature_image.h"

namespace ansatz::viz {

cv::Mat to_bgr(const Image& image);
Image from_bgr(const cv::Mat& bgr);

/// The bytes of a PNG file (8-bit RGB, without a time stamp, so that equal pixels give equal bytes). DataError if the
/// buffer is not of the size for height x width pixels.
std::string encode_png(const Image& image);

inline constexpr std::string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);

struct PngChunk {
  std::string type, data;
};

std::string big_endian(std::uint32_t value);                          ///< 4 bytes
std::string png_chunk(std::string_view type, std::string_view data);  ///< length, type, data, CRC-32
/// The chunks of a PNG file. DataError if it is not a PNG, is cut short, or has a chunk with a wrong CRC.
std::vector<PngChunk> png_chunks(std::string_view png);

/// The same PNG with a statement of its pixel density (pHYs), so that it prints at the intended size.
std::string with_density(std::string_view png, double dots_per_inch);

}  // namespace ansatz::viz
