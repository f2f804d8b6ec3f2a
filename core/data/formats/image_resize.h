// Images of one size to another: the one place where pixels are interpolated before they become inputs.
#pragma once

#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

/// Resizes channels x height x width planes (channel, row, column). Each axis by itself: an output pixel is the mean of
/// the input pixels under a triangle as wide as one output pixel (shrinking) or one input pixel (enlarging, bilinear),
/// pixel centres at half integers, the triangle cut off and rescaled at the border. Equal sizes: an exact copy.
class ImageResizer {
 public:
  /// `crop`: only the pixels (whole or in part) of the largest centred rectangle of proportions height : width are
  /// used. Sizes >= 1.
  ImageResizer(const ImageShape& from, Index height, Index width, bool crop = false);

  ImageShape output() const { return {from_.channels, rows_.size(), columns_.size()}; }

  /// `in`: from.size() values, `out`: output().size() values, not overlapping. May be called from several threads.
  template <class Scalar>
  void operator()(const Scalar* in, Scalar* out) const;

 private:
  /// The input pixels that an output pixel is a mean of.
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
