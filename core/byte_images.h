// Images stored as bytes: converted row by row, as they are drawn.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/data_source.h"

namespace ansatz {

/// b / 255 for every byte b.
template <class Scalar>
std::array<Scalar, 256> byte_values() {
  std::array<Scalar, 256> value;
  for (std::size_t b = 0; b < value.size(); ++b) value[b] = static_cast<Scalar>(b) / Scalar(255);
  return value;
}

/// Row i: the `dimension` bytes from offset + i * stride on, each divided by 255 in Scalar. The bytes are shared, not
/// copied.
template <class Scalar>
PartValues<Scalar> byte_images(std::shared_ptr<const std::string> bytes, std::size_t offset, Index dimension,
                               Index stride) {
  PartValues<Scalar> values;
  values.read_row = [bytes = std::move(bytes), value = byte_values<Scalar>(), offset, dimension, stride](Index row,
                                                                                                         Scalar* out) {
    const char* pixel = bytes->data() + offset + static_cast<std::size_t>(row * stride);
    for (Index j = 0; j < dimension; ++j) out[j] = value[static_cast<unsigned char>(pixel[j])];
  };
  return values;
}

/// The same of images one after the other whose planes are stored column by column (MATLAB's order, also STL-10's).
template <class Scalar>
PartValues<Scalar> column_major_byte_images(std::shared_ptr<const std::string> bytes, const ImageShape& shape) {
  PartValues<Scalar> values;
  values.read_row = [bytes = std::move(bytes), value = byte_values<Scalar>(), shape](Index row, Scalar* out) {
    const char* pixel = bytes->data() + static_cast<std::size_t>(row * shape.size());
    for (Index c = 0; c < shape.channels; ++c, out += shape.height * shape.width) {
      for (Index x = 0; x < shape.width; ++x) {
        for (Index y = 0; y < shape.height; ++y) out[y * shape.width + x] = value[static_cast<unsigned char>(*pixel++)];
      }
    }
  };
  return values;
}

}  // namespace ansatz
