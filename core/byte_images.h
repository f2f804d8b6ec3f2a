// Images stored as bytes: converted row by row, as they are drawn.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/data_source.h"

namespace ansatz {

/// Row i: the `dimension` bytes from offset + i * stride on, each divided by 255 in Scalar. The bytes are shared, not
/// copied.
template <class Scalar>
PartValues<Scalar> byte_images(std::shared_ptr<const std::string> bytes, std::size_t offset, Index dimension,
                               Index stride) {
  std::array<Scalar, 256> value;
  for (std::size_t b = 0; b < value.size(); ++b) value[b] = static_cast<Scalar>(b) / Scalar(255);
  PartValues<Scalar> values;
  values.read_row = [bytes = std::move(bytes), value, offset, dimension, stride](Index row, Scalar* out) {
    const char* pixel = bytes->data() + offset + static_cast<std::size_t>(row * stride);
    for (Index j = 0; j < dimension; ++j) out[j] = value[static_cast<unsigned char>(pixel[j])];
  };
  return values;
}

}  // namespace ansatz
