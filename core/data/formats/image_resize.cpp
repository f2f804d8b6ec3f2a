#include "core/data/formats/image_resize.h"

#include <algorithm>
#include <cmath>

namespace ansatz {

ImageResizer::ImageResizer(const ImageShape& from, Index height, Index width, bool crop) : from_(from) {
  const auto h = static_cast<double>(from.height), w = static_cast<double>(from.width);
  double used_height = h, used_width = w;
  if (crop) {
    const double scale = std::min(h / static_cast<double>(height), w / static_cast<double>(width));
    used_height = scale * static_cast<double>(height);
    used_width = scale * static_cast<double>(width);
  }
  rows_ = axis(from.height, (h - used_height) / 2, used_height, height);
  columns_ = axis(from.width, (w - used_width) / 2, used_width, width);
}

ImageResizer::Axis ImageResizer::axis(Index from, double begin, double length, Index to) {
  const double scale = length / static_cast<double>(to);
  const double half_base = std::max(scale, 1.0);
  Axis axis;
  for (Index i = 0; i < to; ++i) {
    const double centre = begin + (static_cast<double>(i) + 0.5) * scale;
    const auto low = static_cast<Index>(std::floor(std::max(centre - half_base, begin)));
    const auto high = std::min(from, static_cast<Index>(std::ceil(std::min(centre + half_base, begin + length))));
    Taps taps;
    double sum = 0;
    for (Index j = low; j < high; ++j) {
      const double weight = std::max(0.0, 1 - std::abs(static_cast<double>(j) + 0.5 - centre) / half_base);
      if (weight == 0 && taps.weights.empty()) continue;
      if (taps.weights.empty()) taps.first = j;
      taps.weights.push_back(weight);
      sum += weight;
    }
    while (taps.weights.back() == 0) taps.weights.pop_back();
    for (double& weight : taps.weights) weight /= sum;
    axis.taps.push_back(std::move(taps));
  }
  return axis;
}

template <class Scalar>
void ImageResizer::operator()(const Scalar* in, Scalar* out) const {
  std::vector<double> narrow(static_cast<std::size_t>(from_.height * columns_.size()));
  for (Index c = 0; c < from_.channels; ++c) {
    const Scalar* plane = in + c * from_.height * from_.width;
    double* value = narrow.data();
    for (Index y = 0; y < from_.height; ++y) {
      for (const Taps& taps : columns_.taps) {
        *value = 0;
        const Scalar* pixel = plane + y * from_.width + taps.first;
        for (const double weight : taps.weights) *value += weight * static_cast<double>(*pixel++);
        ++value;
      }
    }
    for (const Taps& taps : rows_.taps) {
      for (Index x = 0; x < columns_.size(); ++x) {
        double sum = 0;
        const double* pixel = narrow.data() + taps.first * columns_.size() + x;
        for (const double weight : taps.weights) {
          sum += weight * *pixel;
          pixel += columns_.size();
        }
        *out++ = static_cast<Scalar>(sum);
      }
    }
  }
}

template void ImageResizer::operator()(const float*, float*) const;
template void ImageResizer::operator()(const double*, double*) const;

}  // namespace ansatz
