// Which coordinates and pixels of an image: given regions, or where a feature matrix is large; how much of it lies
// there; and pasting pixels into other images.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/config/config.h"
#include "core/data/dataset.h"

namespace ansatz::experiments {

/// A rectangle in fractions of an image's height and width, so that it means the same at every size.
struct Region {
  double top = 0, bottom = 1;  ///< of the height, counted downwards
  double left = 0, right = 1;  ///< of the width
};

/// The list section.key of {rows: [0.66, 0.78], columns: [0.31, 0.68]}; either may be left out: all of them.
/// ConfigError unless one is given, and both are two ascending numbers within 0..1.
std::vector<Region> parse_regions(const Config& section, const std::string& key);

/// The pixels (row * width + column, ascending) whose middle lies in one of the regions.
std::vector<Index> pixels_in(const std::vector<Region>& regions, const ImageShape& shape);

/// The coordinates whose entry of `diagonal` (d) lies above `threshold` after one min-max scaling over all of them (all
/// colour channels together; appendix D), ascending. Where all entries are equal nothing tells them apart: all.
std::vector<Index> coordinates_above(const Vector<double>& diagonal, double threshold);

/// The pixels (ascending, each once) of which some channel is among `coordinates`.
std::vector<Index> pixels_of(const std::vector<Index>& coordinates, const ImageShape& shape);

/// Where a feature matrix looks, for pasting (paper, Section 4.4).
struct MaskOptions {
  double threshold = 0.05;   ///< as for coordinates_above
  bool keep_largest = true;  ///< whether the largest entry counts: the authors' code takes those below it only
};

/// The pixels outside of `excluded` of which a channel's entry of `diagonal` (d) is large as `options` say. May be
/// none.
std::vector<Index> feature_mask(const Vector<double>& diagonal, const ImageShape& shape, const MaskOptions& options,
                                const std::vector<Region>& excluded);

/// `count` pixels (ascending) outside of `excluded` that hang together, from a random one outwards, the nearest first;
/// where they run out of room, another random one is the middle of the rest. At most as many as are not excluded.
std::vector<Index> random_region(Index count, const ImageShape& shape, const std::vector<Region>& excluded,
                                 RandomStream& random);

/// Share of an image's pixels, in percent.
double pixel_share(const std::vector<Index>& pixels, const ImageShape& shape);

/// Which part of the sum of `values` (d, not negative) lies in the columns first, ..., end - 1 of the image, all
/// channels together. NaN where the sum is 0.
double column_share(const Vector<double>& values, const ImageShape& shape, Index first, Index end);

/// Gives every row of `images` (n x d) those pixels of `source` (d), in all channels.
void paste_pixels(const Vector<float>& source, const std::vector<Index>& pixels, const ImageShape& shape,
                  Matrix<float>& images);

}  // namespace ansatz::experiments
