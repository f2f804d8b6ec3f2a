// How much of a diagonal lies on a region of an image, beside the same region laid elsewhere.
#pragma once

#include <limits>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Shares of a diagonal's sum, from 0 to 1. NaN: not known.
struct RegionShare {
  double region = std::numeric_limits<double>::quiet_NaN();
  double largest_other = std::numeric_limits<double>::quiet_NaN();

  bool operator==(const RegionShare& o) const { return region == o.region && largest_other == o.largest_other; }
};

/// Images of this size, several channels of which a row of inputs holds one after the other.
struct ImageGrid {
  Index height = 0, width = 0;
};

/// `diagonal` (d, not negative) over the pixels of `grid`, channel by channel; `region`: some of its coordinates. The
/// others are all copies of the region moved by whole pixels that lie within the image and have no pixel in common with
/// it, in any channel; without any, or where the sum is 0, the share is NaN. DataError if a coordinate is not one of
/// the d, or d is not a number of whole images.
RegionShare region_share(const Vector<double>& diagonal, const ImageGrid& grid, const std::vector<Index>& region);

}  // namespace ansatz
