#include <array>
#include <cmath>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viz/canvas/axis.h"
#include "viz/images/feature_image.h"

using namespace ansatz;
using namespace ansatz::viz;

namespace {

using Color = std::array<int, 3>;

Color pixel(const Image& image, int row, int column) {
  const std::size_t at = 3 * static_cast<std::size_t>(row * image.width + column);
  return {image.rgb.at(at), image.rgb.at(at + 1), image.rgb.at(at + 2)};
}

Vector<double> counted(Index size) { return Vector<double>::LinSpaced(size, 0, static_cast<double>(size - 1)); }

Image speckled(int height, int width) {
  Image image{height, width, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(height * width))};
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(37 * i + i * i / 5);
  return image;
}

}  // namespace

TEST_CASE("planes: channel, row, column of a non-square image") {
  const auto p = planes(counted(24), {2, 3, 4});
  REQUIRE(p.size() == 2);
  for (Index c = 0; c < 2; ++c) {
    REQUIRE(p[c].rows() == 3);
    REQUIRE(p[c].cols() == 4);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 4; ++j) CHECK(p[c](i, j) == 12 * c + 4 * i + j);
  }
}

TEST_CASE("planes: a shape that does not fit names both sizes") {
  CHECK_THROWS_AS(planes(counted(23), {2, 3, 4}), DataError);
  CHECK_THROWS_WITH(planes(counted(23), {2, 3, 4}), Catch::Contains("23") && Catch::Contains("2 x 3 x 4"));
  CHECK_THROWS_AS(planes(counted(0), {0, 3, 4}), DataError);
  CHECK_THROWS_AS(planes(counted(6), {-1, -2, 3}), DataError);
  CHECK_THROWS_AS(rgb_image(counted(5), {3, 2, 1}), DataError);
}

TEST_CASE("colorize: ends, clipping, middle and NaN of every palette") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Matrix<double> values(2, 4);
  values << -1, 0, 1, 7, -9, nan, infinity, -infinity;
  const auto check = [&](Palette palette, Color first, Color middle, Color last) {
    const Image image = colorize(values, -1, 1, palette);
    REQUIRE(image.height == 2);
    REQUIRE(image.width == 4);
    CHECK(pixel(image, 0, 0) == first);
    CHECK(pixel(image, 0, 1) == middle);
    CHECK(pixel(image, 0, 2) == last);
    CHECK(pixel(image, 0, 3) == last);
    CHECK(pixel(image, 1, 0) == first);
    CHECK(pixel(image, 1, 1) == Color{128, 128, 128});
    CHECK(pixel(image, 1, 2) == last);
    CHECK(pixel(image, 1, 3) == first);
  };
  check(Palette::gray, {0, 0, 0}, {128, 128, 128}, {255, 255, 255});
  check(Palette::diverging, {5, 48, 97}, {247, 247, 247}, {103, 0, 31});
  // The published end colours of viridis and cividis (matplotlib), to one level.
  const auto near = [](Color a, Color b) {
    return std::abs(a[0] - b[0]) <= 1 && std::abs(a[1] - b[1]) <= 1 && std::abs(a[2] - b[2]) <= 1;
  };
  const Image viridis = colorize(values, -1, 1, Palette::viridis), cividis = colorize(values, -1, 1, Palette::cividis);
  CHECK(near(pixel(viridis, 0, 0), {68, 1, 84}));
  CHECK(near(pixel(viridis, 0, 2), {253, 231, 37}));
  CHECK(near(pixel(cividis, 0, 0), {0, 34, 78}));
  CHECK(near(pixel(cividis, 0, 2), {254, 232, 56}));
}

TEST_CASE("colorize: an empty range separates below, at and above") {
  Matrix<double> values(1, 3);
  values << 1, 2, 3;
  const Image image = colorize(values, 2, 2, Palette::gray);
  CHECK(pixel(image, 0, 0) == Color{0, 0, 0});
  CHECK(pixel(image, 0, 1) == Color{128, 128, 128});
  CHECK(pixel(image, 0, 2) == Color{255, 255, 255});
}

TEST_CASE("rgb_image: joint range over the channels") {
  Vector<double> values(6);
  values << 0, 1, 2, 3, 4, 5;  // R: 0 1, G: 2 3, B: 4 5; joint range 0..5
  const Image image = rgb_image(values, {3, 1, 2});
  CHECK(pixel(image, 0, 0) == Color{0, 102, 204});
  CHECK(pixel(image, 0, 1) == Color{51, 153, 255});
}

TEST_CASE("rgb_image: one channel and other channel counts are viridis of the mean") {
  Vector<double> one(4), two(8);
  one << 0, 1, 2, 3;
  two << 0, 0, 0, 0, 0, 2, 4, 6;
  const Image expected = colorize(Eigen::Map<const Matrix<double>>(one.data(), 2, 2), 0, 3, Palette::viridis);
  CHECK(rgb_image(one, {1, 2, 2}).rgb == expected.rgb);
  CHECK(rgb_image(two, {2, 2, 2}).rgb == expected.rgb);
}

TEST_CASE("enlarge: every pixel becomes a block") {
  const Image small = speckled(2, 3), large = enlarge(small, 3);
  REQUIRE(large.height == 6);
  REQUIRE(large.width == 9);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 9; ++j) CHECK(pixel(large, i, j) == pixel(small, i / 3, j / 3));
  CHECK_THROWS_AS(enlarge(small, 0), DataError);
}

TEST_CASE("shrink_to_fit: keeps the aspect ratio, averages, leaves small images alone") {
  const Image uniform{40, 80, std::vector<std::uint8_t>(3 * 40 * 80, 77)};
  const Image smaller = shrink_to_fit(uniform, 100, 20);
  CHECK(smaller.height == 10);
  CHECK(smaller.width == 20);
  CHECK(smaller.rgb == std::vector<std::uint8_t>(3 * 10 * 20, 77));
  CHECK(shrink_to_fit(uniform, 40, 80).width == 80);
  Image halves{1, 2, {0, 0, 0, 200, 200, 200}};
  CHECK(pixel(shrink_to_fit(halves, 1, 1), 0, 0) == Color{100, 100, 100});
}

TEST_CASE("colours and ticks of ranges that doubles hardly hold") {
  Matrix<double> values(1, 4);
  values << -1e308, 0, 1e308, std::numeric_limits<double>::infinity();
  const Image wide = colorize(values, -1e308, 1e308, Palette::gray);  // the range is 2e308
  CHECK(pixel(wide, 0, 0) == Color{0, 0, 0});
  CHECK(pixel(wide, 0, 1) == Color{128, 128, 128});
  CHECK(pixel(wide, 0, 2) == Color{255, 255, 255});
  CHECK(pixel(wide, 0, 3) == Color{255, 255, 255});
  const double smallest = std::numeric_limits<double>::denorm_min();
  values << 0, 0, 0, smallest;
  CHECK(pixel(colorize(values, 0, smallest, Palette::diverging), 0, 3) == Color{103, 0, 31});

  CHECK(linear_axis(-1e308, 1e308, 6).ticks.size() >= 3);
  CHECK(linear_axis(0, 1e308, 6).ticks.size() >= 3);
  // Between neighbouring doubles a loop over ticks would not end.
  for (const auto& [low, high] : {std::pair(1.0, 1 + 2.3e-16), std::pair(1e16, 1e16 + 2), std::pair(0.0, smallest)})
    CHECK(linear_axis(low, high, 6).ticks.size() <= 8);
}

TEST_CASE("PNG round trip, and planes of it") {
  const TemporaryFolder scratch;
  const Image image = speckled(5, 3);
  write_png(image, scratch.path() / "a.png");
  const Image back = read_image(scratch.path() / "a.png");
  CHECK(back.height == 5);
  CHECK(back.width == 3);
  CHECK(back.rgb == image.rgb);

  const DecodedImage decoded = read_image_planes(scratch.path() / "a.png");
  CHECK(decoded.shape == ImageShape{3, 5, 3});
  const std::vector<float>& p = decoded.planes;
  REQUIRE(p.size() == 45);
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 3; ++j)
        CHECK(p[static_cast<std::size_t>(15 * c + 3 * i + j)] == Approx(pixel(image, i, j)[c] / 255.0).epsilon(1e-6));
}

TEST_CASE("read_image: what is no image names the file") {
  const TemporaryFolder scratch;
  const auto fails = [&](const std::string& name) {
    CHECK_THROWS_AS(read_image(scratch.path() / name), DataError);
    CHECK_THROWS_WITH(read_image_planes(scratch.path() / name), Catch::Contains(name));
  };
  fails("missing.png");
  write_file_atomically(scratch.path() / "text.png", std::string_view("hello"));
  fails("text.png");
  write_file_atomically(scratch.path() / "empty.jpg", std::string_view(""));
  fails("empty.jpg");

  const Image image = speckled(64, 64);
  write_png(image, scratch.path() / "whole.png");
  const std::string png = read_file(scratch.path() / "whole.png");
  write_file_atomically(scratch.path() / "cut.png", std::string_view(png).substr(0, png.size() / 2));
  fails("cut.png");

  std::vector<std::uint8_t> jpeg;
  cv::imencode(".jpg", cv::Mat(64, 64, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data())), jpeg);
  const std::string_view bytes(reinterpret_cast<const char*>(jpeg.data()), jpeg.size());
  write_file_atomically(scratch.path() / "whole.jpg", bytes);
  CHECK(read_image(scratch.path() / "whole.jpg").width == 64);
  write_file_atomically(scratch.path() / "cut.jpg", bytes.substr(0, bytes.size() / 2));
  fails("cut.jpg");
}

TEST_CASE("write_png: a buffer that does not fit its size, and a folder that is not there") {
  const TemporaryFolder scratch;
  CHECK_THROWS_AS(write_png({2, 2, {1, 2, 3}}, scratch.path() / "a.png"), DataError);
  CHECK_THROWS_AS(write_png({0, 0, {}}, scratch.path() / "a.png"), DataError);
  CHECK_THROWS_AS(write_png(speckled(2, 2), scratch.path() / "none" / "a.png"), OutputError);
  CHECK(std::filesystem::is_empty(scratch.path()));
}
