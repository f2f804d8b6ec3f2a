#include <cmath>

#include "core/base/random.h"
#include "core/data/formats/image_resize.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

std::vector<double> resize(const ImageShape& from, const std::vector<double>& image, Index height, Index width,
                           bool crop = false) {
  const ImageResizer resizer(from, height, width, crop);
  REQUIRE(resizer.output() == ImageShape{from.channels, height, width});
  std::vector<double> out(static_cast<std::size_t>(from.channels * height * width));
  resizer(image.data(), out.data());
  return out;
}

/// The definition: every input pixel (y, x) has the product of two triangles as its weight.
double pixel_by_definition(const ImageShape& from, const double* plane, Index height, Index width, Index i, Index j) {
  const auto triangle = [](Index pixel, Index out, Index in_length, Index out_length) {
    const double scale = static_cast<double>(in_length) / static_cast<double>(out_length);
    const double centre = (static_cast<double>(out) + 0.5) * scale;
    return std::max(0.0, 1 - std::abs(static_cast<double>(pixel) + 0.5 - centre) / std::max(scale, 1.0));
  };
  double sum = 0, weights = 0;
  for (Index y = 0; y < from.height; ++y) {
    for (Index x = 0; x < from.width; ++x) {
      const double weight = triangle(y, i, from.height, height) * triangle(x, j, from.width, width);
      sum += weight * plane[y * from.width + x];
      weights += weight;
    }
  }
  return sum / weights;
}

}  // namespace

TEST_CASE("resizing is the mean under a triangle, at any sizes") {
  RandomStream random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const ImageShape from{1 + random.below(3), 1 + random.below(12), 1 + random.below(12)};
    const Index height = 1 + random.below(12), width = 1 + random.below(12);
    std::vector<double> image(static_cast<std::size_t>(from.size()));
    for (double& value : image) value = random.uniform();
    const std::vector<double> out = resize(from, image, height, width);
    double worst = 0;
    for (Index k = 0; k < static_cast<Index>(out.size()); ++k) {
      const Index c = k / (height * width), i = k / width % height, j = k % width;
      const double expected =
          pixel_by_definition(from, image.data() + c * from.height * from.width, height, width, i, j);
      worst = std::max(worst, std::abs(out[static_cast<std::size_t>(k)] - expected));
    }
    CHECK(worst < 1e-14);  // sums of at most 144 values below 1
  }
}

TEST_CASE("equal sizes copy, twice the size interpolates, half the size averages") {
  const std::vector<double> image = {0, 10, 20, 30, 40, 50, 60, 70};
  CHECK(resize({1, 2, 4}, image, 2, 4) == image);
  const std::vector<double> twice = resize({1, 1, 4}, {0, 10, 20, 30}, 1, 8);
  CHECK(twice == std::vector<double>{0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30});
  // Weights 1/4 3/4 3/4 1/4 of the four nearest, of which the border has three.
  const std::vector<double> half = resize({1, 1, 4}, {0, 10, 20, 30}, 1, 2);
  CHECK(half[0] == Approx((0.75 * 0 + 0.75 * 10 + 0.25 * 20) / 1.75));
}

TEST_CASE("a crop uses the largest centred rectangle of the asked-for proportions") {
  const std::vector<double> column = {9, 1, 2, 9};                       // 4 x 1
  CHECK(resize({1, 4, 1}, {9, 9, 1, 9}, 1, 1, true)[0] == Approx(5.0));  // the two middle pixels, half of each
  std::vector<double> wide(2 * 6, 9.0);
  for (const std::size_t y : {0, 1}) wide[6 * y + 2] = wide[6 * y + 3] = static_cast<double>(y);
  CHECK(resize({1, 2, 6}, wide, 2, 2, true) == std::vector<double>{0, 0, 1, 1});
  CHECK(resize({1, 4, 1}, column, 4, 1, true) == column);
}
