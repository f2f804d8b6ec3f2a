// Which pixels of an image: given regions, or where a feature matrix is large; and pasting them into other images.
#pragma once

#include <string>
#include <vector>

#include "core/config.h"
#include "core/dataset.h"

namespace ansatz::experiments {

/// A rectangle in fractions of an image's height and width, so that it means the same at every size.
struct Region {
  double top = 0, bottom = 1;  ///< of the height, counted downwards
  double left = 0, right = 1;  ///< of the width
};

/// The list section.key of {rows: [0.66, 0.78], columns: [0.31, 0.68]}; either may be left out: all of them.
/// ConfigError unless both are two ascending numbers within 0..1.
std::vector<Region> parse_regions(const Config& section, const std::string& key);

/// The pixels (row * width + column, ascending) whose middle lies in one of the regions.
std::vector<Index> pixels_in(const std::vector<Region>& regions, const ImageShape& shape);

/// The pixels outside of `excluded` of which a channel's entry of `diagonal` (d) exceeds `threshold` after one min-max
/// scaling over all of them (paper, Section 4.4; coordinates_above of lottery_tickets.h). May be none.
std::vector<Index> feature_mask(const Vector<double>& diagonal, const ImageShape& shape, double threshold,
                                const std::vector<Region>& excluded);

/// Share of an image's pixels, in percent.
double pixel_share(const std::vector<Index>& pixels, const ImageShape& shape);

/// Gives every row of `images` (n x d) those pixels of `source` (d), in all channels.
template <class Scalar>
void paste_pixels(const Vector<Scalar>& source, const std::vector<Index>& pixels, const ImageShape& shape,
                  Matrix<Scalar>& images);

}  // namespace ansatz::experiments
