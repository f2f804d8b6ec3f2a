#include "experiments/paper/image_regions.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

namespace ansatz::experiments {
namespace {

/// Where an axis begins and ends.
std::pair<double, double> parse_axis(const Config& region, const char* key) {
  const std::vector<double> ends = region.get_list(key, std::vector<double>{0, 1}, 0, 1);
  if (ends.size() != 2 || !(0 <= ends[0] && ends[0] < ends[1] && ends[1] <= 1))
    region.fail(key, "must be two ascending fractions of the image within 0..1, such as [0.66, 0.78]");
  return {ends[0], ends[1]};
}

bool contains(const Region& region, double row, double column) {
  return region.top <= row && row < region.bottom && region.left <= column && column < region.right;
}

/// Adds to `region`, up to `count` pixels, the `free` ones that hang together with the middle, the nearest first, and
/// takes them from `free`.
void grow_region(Index middle, Index count, const ImageShape& shape, std::vector<bool>& free, std::set<Index>& region) {
  std::set<std::pair<Index, Index>> border;  // squared distance, pixel
  const auto reach = [&](Index row, Index column) {
    if (row < 0 || row >= shape.height || column < 0 || column >= shape.width) return;
    const Index pixel = row * shape.width + column, down = row - middle / shape.width,
                right = column - middle % shape.width;
    if (free[static_cast<std::size_t>(pixel)]) border.insert({down * down + right * right, pixel});
  };
  reach(middle / shape.width, middle % shape.width);
  while (!border.empty() && static_cast<Index>(region.size()) < count) {
    const Index pixel = border.begin()->second, row = pixel / shape.width, column = pixel % shape.width;
    border.erase(border.begin());
    free[static_cast<std::size_t>(pixel)] = false;
    region.insert(pixel);
    reach(row - 1, column), reach(row + 1, column), reach(row, column - 1), reach(row, column + 1);
  }
}

}  // namespace

std::vector<Region> parse_regions(const Config& section, const std::string& key) {
  std::vector<Region> regions;
  for (const Config& entry : section.list(key)) {
    if (!entry.has("rows") && !entry.has("columns"))
      entry.fail("rows", "a region needs rows or columns, such as {rows: [0.66, 0.78]}");
    const auto [top, bottom] = parse_axis(entry, "rows");
    const auto [left, right] = parse_axis(entry, "columns");
    regions.push_back({top, bottom, left, right});
  }
  return regions;
}

std::vector<Index> pixels_in(const std::vector<Region>& regions, const ImageShape& shape) {
  const auto middle = [](Index i, Index size) { return (static_cast<double>(i) + 0.5) / static_cast<double>(size); };
  std::vector<Index> pixels;
  for (Index row = 0; row < shape.height; ++row)
    for (Index column = 0; column < shape.width; ++column)
      if (std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
            return contains(region, middle(row, shape.height), middle(column, shape.width));
          }))
        pixels.push_back(row * shape.width + column);
  return pixels;
}

std::vector<Index> coordinates_above(const Vector<double>& diagonal, double threshold) {
  const double low = diagonal.minCoeff(), range = diagonal.maxCoeff() - low;
  std::vector<Index> kept;
  for (Index i = 0; i < diagonal.size(); ++i)
    if (range == 0 || (diagonal(i) - low) / range > threshold) kept.push_back(i);
  return kept;
}

std::vector<Index> pixels_of(const std::vector<Index>& coordinates, const ImageShape& shape) {
  std::set<Index> pixels;
  for (const Index coordinate : coordinates) pixels.insert(coordinate % (shape.height * shape.width));
  return {pixels.begin(), pixels.end()};
}

std::vector<Index> feature_mask(const Vector<double>& diagonal, const ImageShape& shape, const MaskOptions& options,
                                const std::vector<Region>& excluded) {
  std::vector<Index> coordinates = coordinates_above(diagonal, options.threshold);
  if (!options.keep_largest) {
    const auto is_largest = [&, largest = diagonal.maxCoeff()](Index i) { return diagonal(i) == largest; };
    coordinates.erase(std::remove_if(coordinates.begin(), coordinates.end(), is_largest), coordinates.end());
  }
  const std::vector<Index> large = pixels_of(coordinates, shape), out = pixels_in(excluded, shape);
  std::vector<Index> mask;
  std::set_difference(large.begin(), large.end(), out.begin(), out.end(), std::back_inserter(mask));
  return mask;
}

std::vector<Index> random_region(Index count, const ImageShape& shape, const std::vector<Region>& excluded,
                                 RandomStream& random) {
  std::vector<bool> free(static_cast<std::size_t>(shape.height * shape.width), true);
  for (const Index pixel : pixels_in(excluded, shape)) free[static_cast<std::size_t>(pixel)] = false;
  std::set<Index> region;
  while (static_cast<Index>(region.size()) < count) {
    std::vector<Index> middles;
    for (std::size_t i = 0; i < free.size(); ++i)
      if (free[i]) middles.push_back(static_cast<Index>(i));
    if (middles.empty()) break;
    const Index middle = middles[static_cast<std::size_t>(random.sample(static_cast<Index>(middles.size()), 1)[0])];
    grow_region(middle, count, shape, free, region);
  }
  return {region.begin(), region.end()};
}

double pixel_share(const std::vector<Index>& pixels, const ImageShape& shape) {
  return 100 * static_cast<double>(pixels.size()) / static_cast<double>(shape.height * shape.width);
}

double column_share(const Vector<double>& values, const ImageShape& shape, Index first, Index end) {
  double inside = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const Index column = i % shape.width;
    if (first <= column && column < end) inside += values(i);
  }
  return values.sum() > 0 ? inside / values.sum() : std::numeric_limits<double>::quiet_NaN();
}

void paste_pixels(const Vector<float>& source, const std::vector<Index>& pixels, const ImageShape& shape,
                  Matrix<float>& images) {
  for (Index i = 0; i < images.rows(); ++i)
    for (Index channel = 0; channel < shape.channels; ++channel)
      for (const Index pixel : pixels) {
        const Index coordinate = channel * shape.height * shape.width + pixel;
        images(i, coordinate) = source(coordinate);
      }
}

}  // namespace ansatz::experiments
