// Which pixels: given regions, random ones, or where a feature matrix is large.
#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "core/base/random.h"
#include "experiments/paper/image_regions.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("regions: fractions of any size, by the middles of pixels") {
  const std::vector<experiments::Region> lips = {{0.656, 0.781, 0.3125, 0.677}};
  std::vector<Index> expected;  // the paper's rows 63 to 74 and columns 30 to 64 of 96
  for (Index row = 63; row <= 74; ++row)
    for (Index column = 30; column <= 64; ++column) expected.push_back(row * 96 + column);
  CHECK(experiments::pixels_in(lips, {3, 96, 96}) == expected);
  CHECK(experiments::pixels_in({{0, 0.5, 0, 1}, {0, 1, 0, 0.5}}, {1, 2, 2}) == std::vector<Index>{0, 1, 2});
  CHECK(experiments::pixels_in({{0.6, 0.7, 0, 1}}, {1, 2, 2}).empty());
  CHECK(experiments::pixels_in({}, {1, 2, 2}).empty());
}

TEST_CASE("random_region: as many pixels as asked for, hanging together, outside of what is excluded") {
  const ImageShape shape{3, 12, 10};
  const std::vector<experiments::Region> lower = {{0.5, 1, 0, 1}};
  std::set<std::vector<Index>> all;
  for (int draw = 0; draw < 20; ++draw) {
    RandomStream random = RandomStream(1).named("region/" + std::to_string(draw));
    const std::vector<Index> region = experiments::random_region(17, shape, lower, random);
    all.insert(region);
    REQUIRE(region.size() == 17);
    CHECK(std::is_sorted(region.begin(), region.end()));
    CHECK(region.back() < 60);  // rows 0 to 5
    std::set<Index> left(region.begin(), region.end());
    const std::function<void(Index)> take_with_neighbours = [&](Index pixel) {
      if (left.erase(pixel) == 0) return;
      if (pixel % 10 > 0) take_with_neighbours(pixel - 1);
      if (pixel % 10 < 9) take_with_neighbours(pixel + 1);
      take_with_neighbours(pixel - 10);
      take_with_neighbours(pixel + 10);
    };
    take_with_neighbours(region.front());
    CHECK(left.empty());
  }
  CHECK(all.size() > 10);
  RandomStream random(2);
  CHECK(experiments::random_region(60, shape, lower, random).size() == 60);
  // Two halves without a bridge: the rest is taken from the other one.
  CHECK(experiments::random_region(70, shape, {{0.4, 0.6, 0, 1}}, random).size() == 70);
  CHECK(experiments::random_region(70, shape, lower, random).size() == 60);
}

TEST_CASE("feature_mask: a pixel counts if one channel does, but not where it is excluded") {
  const ImageShape shape{2, 2, 2};
  Vector<double> diagonal(8);
  diagonal << 1, 1, 11, 1, /* second channel */ 1, 3, 1, 2;  // scaled: 0, 0, 1, 0; 0, 0.2, 0, 0.1
  CHECK(experiments::feature_mask(diagonal, shape, {0.05}, {}) == std::vector<Index>{1, 2, 3});
  CHECK(experiments::feature_mask(diagonal, shape, {0.1}, {}) == std::vector<Index>{1, 2});
  CHECK(experiments::feature_mask(diagonal, shape, {0.05}, {{0.5, 1, 0, 0.5}}) == std::vector<Index>{1, 3});
  CHECK(experiments::feature_mask(diagonal, shape, {0.05}, {{0, 1, 0.5, 1}, {0.5, 1, 0, 1}}).empty());
  CHECK(experiments::feature_mask(diagonal, shape, {0.05, false}, {}) == std::vector<Index>{1, 3});
  diagonal(6) = 2;  // the second channel of the largest entry's pixel: above 0.05 by itself
  CHECK(experiments::feature_mask(diagonal, shape, {0.05, false}, {}) == std::vector<Index>{1, 2, 3});
}

TEST_CASE("coordinates_above: strictly above the threshold of one min-max scaling") {
  Vector<double> diagonal(5);
  diagonal << 2, 3, 4, 22, 2;  // scaled: 0, 0.05, 0.1, 1, 0
  CHECK(experiments::coordinates_above(diagonal, 0.05) == std::vector<Index>{2, 3});
  CHECK(experiments::coordinates_above(diagonal, 0) == std::vector<Index>{1, 2, 3});
  CHECK(experiments::coordinates_above(Vector<double>::Constant(3, 7), 0.5) == std::vector<Index>{0, 1, 2});
}
