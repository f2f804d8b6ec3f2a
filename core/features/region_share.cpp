#include "core/features/region_share.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace ansatz {
namespace {

/// The smallest box around the pixels of a region.
struct Box {
  Index top, bottom, left, right;  ///< rows and columns, all of them within
};

Index row_of(Index coordinate, const ImageGrid& grid) { return coordinate / grid.width % grid.height; }
Index column_of(Index coordinate, const ImageGrid& grid) { return coordinate % grid.width; }

Box box_of(const std::vector<Index>& region, const ImageGrid& grid) {
  Box box = {grid.height, -1, grid.width, -1};
  for (const Index i : region) {
    box.top = std::min(box.top, row_of(i, grid)), box.bottom = std::max(box.bottom, row_of(i, grid));
    box.left = std::min(box.left, column_of(i, grid)), box.right = std::max(box.right, column_of(i, grid));
  }
  return box;
}

void require_within(const std::vector<Index>& region, const ImageGrid& grid, Index d) {
  const Index pixels = grid.height * grid.width;
  if (pixels < 1 || d % pixels != 0) throw DataError("region share: the diagonal is not that of images of this size");
  if (region.empty() || *std::min_element(region.begin(), region.end()) < 0 ||
      *std::max_element(region.begin(), region.end()) >= d)
    throw DataError("region share: the region must be some of the image's coordinates");
}

}  // namespace

RegionShare region_share(const Vector<double>& diagonal, const ImageGrid& grid, const std::vector<Index>& region) {
  require_within(region, grid, diagonal.size());
  const Index pixels = grid.height * grid.width;
  std::vector<bool> taken(static_cast<std::size_t>(pixels), false);
  for (const Index i : region) taken[static_cast<std::size_t>(i % pixels)] = true;
  const auto sum_moved_by = [&](Index offset) {
    double sum = 0;
    for (const Index i : region) sum += diagonal(i + offset);
    return sum;
  };
  const auto meets_region = [&](Index offset) {
    return std::any_of(region.begin(), region.end(),
                       [&](Index i) { return taken[static_cast<std::size_t>(i % pixels + offset)]; });
  };
  const double all = diagonal.sum();
  RegionShare share;
  if (!(all > 0)) return share;
  share.region = sum_moved_by(0) / all;
  const Box box = box_of(region, grid);
  for (Index down = -box.top; down < grid.height - box.bottom; ++down)
    for (Index right = -box.left; right < grid.width - box.right; ++right)
      if (const Index offset = down * grid.width + right; !meets_region(offset))
        share.largest_other = std::fmax(share.largest_other, sum_moved_by(offset) / all);
  return share;
}

}  // namespace ansatz
