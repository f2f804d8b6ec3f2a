#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/features/region_share.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

struct Shape {
  Index channels, height, width;
  Index size() const { return channels * height * width; }
  ImageGrid grid() const { return {height, width}; }
};
struct Pixel {
  Index row, column;
};
const std::vector<Pixel> kCorner = {{1, 1}, {1, 2}, {2, 1}};  // an L of three pixels

std::vector<Index> in_all_channels(const std::vector<Pixel>& pixels, const Shape& shape) {
  std::vector<Index> coordinates;
  for (Index c = 0; c < shape.channels; ++c)
    for (const Pixel& p : pixels) coordinates.push_back((c * shape.height + p.row) * shape.width + p.column);
  return coordinates;
}

/// By the definition: every move is tried, and those that leave the image or meet the region are left out.
RegionShare slow_share(const Vector<double>& diagonal, const Shape& shape, const std::vector<Pixel>& region) {
  const auto share_of = [&](const std::vector<Pixel>& pixels) {
    double sum = 0;
    for (const Index i : in_all_channels(pixels, shape)) sum += diagonal(i);
    return sum / diagonal.sum();
  };
  std::set<std::pair<Index, Index>> own;
  for (const Pixel& p : region) own.insert({p.row, p.column});
  RegionShare share{share_of(region), 0};
  for (Index down = -shape.height; down <= shape.height; ++down) {
    for (Index right = -shape.width; right <= shape.width; ++right) {
      std::vector<Pixel> moved;
      for (const Pixel& p : region) {
        const Pixel q{p.row + down, p.column + right};
        const bool inside = q.row >= 0 && q.row < shape.height && q.column >= 0 && q.column < shape.width;
        if (inside && own.count({q.row, q.column}) == 0) moved.push_back(q);
      }
      if (moved.size() == region.size()) share.largest_other = std::max(share.largest_other, share_of(moved));
    }
  }
  return share;
}

}  // namespace

TEST_CASE("region share: the region, and the largest of all others of its form") {
  for (const Shape& shape : {Shape{3, 6, 9}, Shape{1, 7, 4}}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Vector<double> diagonal =
          RandomStream(seed).uniform_matrix<double>(1, shape.size(), 0, 1).row(0).transpose().array().pow(4);
      const RegionShare share = region_share(diagonal, shape.grid(), in_all_channels(kCorner, shape));
      const RegionShare expected = slow_share(diagonal, shape, kCorner);
      CHECK(share.region == Approx(expected.region).epsilon(1e-12));
      CHECK(share.largest_other == Approx(expected.largest_other).epsilon(1e-12));
    }
  }
}

TEST_CASE("region share: an even diagonal gives every region its area, and a copy that meets the region is none") {
  const Shape shape{1, 8, 8};
  const std::vector<Index> region = in_all_channels(kCorner, shape);
  Vector<double> diagonal = Vector<double>::Ones(shape.size());
  CHECK(region_share(diagonal, shape.grid(), region).region == Approx(3.0 / 64));
  CHECK(region_share(diagonal, shape.grid(), region).largest_other == Approx(3.0 / 64));
  diagonal.setZero();
  for (const Index i : region) diagonal(i) = 1;
  const RegionShare all = region_share(diagonal, shape.grid(), region);
  CHECK(all.region == 1);
  CHECK(all.largest_other == 0);
}

TEST_CASE("region share: what is not known is NaN, and what is no region is refused") {
  const Shape shape{1, 3, 3};
  const std::vector<Index> region = in_all_channels(kCorner, shape);
  const RegionShare nothing = region_share(Vector<double>::Zero(9), shape.grid(), region);
  CHECK(std::isnan(nothing.region));
  CHECK(std::isnan(nothing.largest_other));
  const std::vector<Index> whole = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const RegionShare no_other = region_share(Vector<double>::Ones(9), shape.grid(), whole);
  CHECK(no_other.region == 1);
  CHECK(std::isnan(no_other.largest_other));
  CHECK_THROWS_AS(region_share(Vector<double>::Ones(8), shape.grid(), region), DataError);
  CHECK_THROWS_AS(region_share(Vector<double>::Ones(9), shape.grid(), {9}), DataError);
  CHECK_THROWS_AS(region_share(Vector<double>::Ones(9), shape.grid(), {}), DataError);
}
