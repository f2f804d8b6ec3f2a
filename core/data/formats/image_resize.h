// Resizes images. This is the only place where pixels are interpolated before they become inputs.
#pragma once

#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

/// Resizes channels x height x width planes (channel, row, column), one axis at a time. An output pixel is a weighted
/// mean of input pixels. The weights form a triangle that is as wide as one output pixel (shrinking) or one input pixel
/// (enlarging: bilinear), with pixel centres at half integers; at the border it is cut off and rescaled. Equal sizes
/// give an exact copy.
class ImageResizer {
 public:
  /// With `crop`, only the largest centred rectangle of proportions height : width is used, whose edges may cut through
  /// pixels. All sizes must be at least 1.
  ImageResizer(const ImageShape& from, Index height, Index width, bool crop = false);

  ImageShape output() const { return {from_.channels, rows_.size(), columns_.size()}; }

  /// `in`: from.size() values, `out`: output().size() values, not overlapping. May be called from several threads.
  template <class Scalar>
  void operator()(const Scalar* in, Scalar* out) const;

 private:
  /// The input pixels whose weighted mean is an output pixel.
  struct Taps {
    Index first = 0;
    std::vector<double> weights;  ///< sum to 1
  };
  struct Axis {
    std::vector<Taps> taps;
    Index size() const { return static_cast<Index>(taps.size()); }
  };
  static Axis axis(Index from, double begin, double length, Index to);

  ImageShape from_;
  Axis rows_, columns_;
};

}  // namespace ansatz
