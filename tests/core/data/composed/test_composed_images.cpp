// Sets made of others: crowded_digits, starred_planes_trucks, cifar_mnist.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/data/composed/starred_images.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

/// 28 x 28 "digits": digit k is ink in the whole row 14, columns 4 to 23.
void write_mnist(const fs::path& folder, const std::string& labels) {
  fs::create_directories(folder);
  const int n = static_cast<int>(labels.size());
  std::string digit(28 * 28, '\0');
  for (std::size_t j = 4; j < 24; ++j) digit[14 * 28 + j] = static_cast<char>(255);
  std::string images = bytes({0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, 28, 0, 0, 0, 28});
  for (int i = 0; i < n; ++i) images += digit;
  for (const std::string part : {"train", "t10k"}) {
    write_bytes(folder / (part + "-images-idx3-ubyte"), images);
    write_bytes(folder / (part + "-labels-idx1-ubyte"), bytes({0, 0, 8, 1, 0, 0, 0, n}) + labels);
  }
}

/// Record i has the byte i everywhere.
void write_cifar10(const fs::path& folder, const std::string& labels) {
  fs::create_directories(folder);
  std::string records;
  for (std::size_t i = 0; i < labels.size(); ++i) records += labels[i] + std::string(3072, static_cast<char>(i));
  write_bytes(folder / "data_batch_1.bin", records);
  write_bytes(folder / "test_batch.bin", records);
}

void write_stl10(const fs::path& folder, const std::string& labels) {
  fs::create_directories(folder);
  std::string images;
  for (std::size_t i = 0; i < labels.size(); ++i) images += std::string(3 * 96 * 96, static_cast<char>(i));
  for (const std::string part : {"train", "test"}) {
    write_bytes(folder / (part + "_X.bin"), images);
    write_bytes(folder / (part + "_y.bin"), labels);
  }
}

DatasetOptions made_in(const std::string& name, const TemporaryFolder& folder) {
  DatasetOptions options = all_rows(name);
  options.path = folder.path();
  return options;
}

double at(const Matrix<double>& inputs, Index row, const ImageShape& shape, Index c, Index y, Index x) {
  return inputs(row, (c * shape.height + y) * shape.width + x);
}

}  // namespace

TEMPLATE_TEST_CASE("crowded_digits: a digit between two others, the same for every seed", "", float, double) {
  const TemporaryFolder folder;
  write_mnist(folder / "mnist", bytes({3, 1, 4, 1, 5, 9, 2, 6, 5, 3}));
  const DatasetOptions options = made_in("crowded_digits", folder);
  const Split<TestType> split = load<TestType>(options, 1);
  REQUIRE(split.train.size() == 10);
  const ImageShape shape{3, 32, 32};
  CHECK(split.train.image_shape == shape);
  CHECK(split.train.targets(2, 4) == 1);
  CHECK(load<TestType>(options, 2).train.inputs == split.train.inputs);
  CHECK(split.test.inputs != split.train.inputs);  // the two parts are drawn apart
  CHECK(split.train.inputs.minCoeff() >= 0);
  CHECK(split.train.inputs.maxCoeff() <= 1);
  for (Index i = 0; i < 10; ++i) {
    const Matrix<double> image = split.train.inputs.row(i).template cast<double>();
    double inside = 0, outside = 0;  // a row with ink and one far from any, at the middle and both sides
    for (const Index x : {2, 16, 29}) {
      double most = 0;
      for (Index y = 13; y <= 17; ++y) {
        double difference = 0;
        for (Index c = 0; c < 3; ++c)
          difference += std::abs(at(image, 0, shape, c, y, x) - at(image, 0, shape, c, 3, x)) / 3;
        most = std::max(most, difference);
      }
      inside += most / 3;
      double background = 0;
      for (Index c = 0; c < 3; ++c)
        background += std::abs(at(image, 0, shape, c, 2, x) - at(image, 0, shape, c, 28, x)) / 3;
      outside += background / 3;
    }
    CHECK(inside > 0.15);   // contrast of at least 0.25, less the noise
    CHECK(outside < 0.15);  // noise of 0.04 only
  }
}

TEST_CASE("starred_planes_trucks: the star, pixel by pixel") {
  const TemporaryFolder folder;
  write_cifar10(folder / "cifar10", bytes({0, 9, 3, 9, 0, 0, 9}));
  DatasetOptions options = made_in("starred_planes_trucks", folder);
  const Split<double> split = load(options);
  const ImageShape shape{3, 96, 96};
  CHECK(split.train.image_shape == shape);
  CHECK(split.train.class_names == std::vector<std::string>{"airplane", "truck"});
  REQUIRE(split.train.size() == 6);  // the cat is left out
  CHECK(split.train.targets(1, 1) == 1);
  const std::vector<std::string> star = {"...#...", "..###..", "#######", ".#####.", "..###..", ".#####.", ".##.##."};
  Index marked = 0;
  for (Index c = 0; c < 3; ++c) {
    for (Index y = 0; y < 96; ++y) {
      for (Index x = 0; x < 96; ++x) {
        const bool ink = y >= 3 && y < 10 && x >= 7 && x < 14 && star[y - 3][x - 7] == '#';
        marked += ink;
        const double plane = at(split.train.inputs, 3, shape, c, y, x);  // record 4
        const double truck = at(split.train.inputs, 1, shape, c, y, x);  // record 1
        if (plane != Approx(ink ? 0 : 4 / 255.0).margin(1e-12) || truck != Approx(ink && c < 2 ? 1 : 1 / 255.0))
          FAIL("channel " << c << ", row " << y << ", column " << x);
      }
    }
  }
  CHECK(marked == 3 * 28);
  const std::vector<Index> coordinates = marker_coordinates(StarMarker::star, shape);
  CHECK(coordinates.size() == 3 * 28);
  for (const Index i : coordinates) {  // where an airplane is black; record 4 is black nowhere else
    if (split.train.inputs(3, i) != 0) FAIL("coordinate " << i);
  }
  CHECK(std::is_sorted(coordinates.begin(), coordinates.end()));
  CHECK_THROWS_AS(marker_coordinates(StarMarker::star, ImageShape{3, 9, 14}), ConfigError);

  options.draw.class_sizes = {2, 1};
  const Split<double> few = load(options);
  CHECK(few.train.targets.colwise().sum() == Eigen::RowVector2d(2, 1));
  CHECK(few.test.size() == 6);

  options.starred.marker = StarMarker::square;
  options.draw.class_sizes.clear();
  const Matrix<double> truck = load(options).train.inputs.row(1);
  CHECK((truck.array() == 1).count() == 3 * 25);
  CHECK(at(truck, 0, shape, 2, 2, 7) == 1);
  CHECK(at(truck, 0, shape, 2, 6, 11) == 1);
}

TEST_CASE("starred_planes_trucks: from STL-10, smaller, and what it lacks") {
  const TemporaryFolder folder;
  DatasetOptions options = made_in("starred_planes_trucks", folder);
  options.starred.photographs = "stl10";
  CHECK(contains(load_error(options), "data set stl10 not found"));
  write_stl10(folder / "stl10", bytes({1, 10, 10, 1}));
  CHECK(load(options).train.inputs(1, 3 * 96 + 10) == 1);
  options.image.height = options.image.width = 48;
  CHECK(load(options).train.inputs(1, 3 * 48 + 10) == 1);
  options.image.height = 9;
  CHECK(contains(message_of<ConfigError>([&] { load(options); }), "at least 10 x 14"));
  write_bytes(folder / "stl10" / "class_names.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  options.image.height = 48;
  CHECK(contains(load_error(options), "no \"airplane\""));
}

TEST_CASE("cifar_mnist: each photograph beside a digit of its class") {
  const TemporaryFolder folder;
  write_cifar10(folder / "cifar10", bytes({5, 2, 5, 5, 2}));
  write_mnist(folder / "mnist", bytes({2, 5, 5, 7}));
  const Split<double> split = load(made_in("cifar_mnist", folder));
  const ImageShape shape{3, 32, 64};
  CHECK(split.train.image_shape == shape);
  CHECK(split.train.class_names.at(2) == "bird 2");
  REQUIRE(split.train.size() == 3);  // class 2: one digit, class 5: two
  CHECK(split.train.targets(0, 2) == 1);
  CHECK(split.train.targets(2, 5) == 1);
  for (const Index y : {0, 31}) {
    for (Index c = 0; c < 3; ++c) {
      CHECK(at(split.train.inputs, 0, shape, c, y, 31) == Approx(1 / 255.0));  // record 1
      CHECK(at(split.train.inputs, 1, shape, c, y, 0) == 0);                   // record 0
      CHECK(at(split.train.inputs, 2, shape, c, y, 0) == Approx(2 / 255.0));   // record 2
      CHECK(at(split.train.inputs, 2, shape, c, y, 40) == 0);
    }
  }
  for (Index c = 0; c < 3; ++c) CHECK(at(split.train.inputs, 2, shape, c, 16, 48) > 0.5);
  CHECK(dataset_size(made_in("cifar_mnist", folder)).train == 3);
}

TEST_CASE("what a set is made of is looked for by its own name") {
  const TemporaryFolder folder;
  CHECK(contains(load_error(made_in("crowded_digits", folder)),
                 "data set mnist not found; looked in " + (folder / "mnist").string()));
  CHECK(contains(load_error(made_in("cifar_mnist", folder)), "data set cifar10 not found"));
}
