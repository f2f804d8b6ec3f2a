// STL-10's binary files in small: constant images with one pixel set.
#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kImage = 3 * 96 * 96;

/// Image i is i everywhere, but 255 in the green channel at row 2, column 5.
std::string images(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    std::string image(kImage, static_cast<char>(i));
    image[96 * 96 + 5 * 96 + 2] = static_cast<char>(255);  // columns one after the other
    text += image;
  }
  return text;
}

DatasetOptions write_stl10(const TemporaryFolder& folder) {
  const fs::path binary = folder / "stl10_binary";
  fs::create_directories(binary);
  write_bytes(binary / "train_X.bin", images(4));
  write_bytes(binary / "train_y.bin", bytes({1, 10, 1, 3}));
  write_bytes(binary / "test_X.bin", images(2));
  write_bytes(binary / "test_y.bin", bytes({10, 1}));
  DatasetOptions options = all_rows("stl10");
  options.path = folder.path();
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("stl10: columns first, labels from 1, classes chosen", "", float, double) {
  const TemporaryFolder folder;
  DatasetOptions options = write_stl10(folder);
  const Split<TestType> split = load<TestType>(options);
  CHECK(split.train.image_shape == ImageShape{3, 96, 96});
  CHECK(split.train.class_names.at(9) == "truck");
  CHECK(split.train.targets(1, 9) == 1);
  CHECK(split.train.targets(3, 2) == 1);
  CHECK(split.train.inputs(2, 96 * 96 + 2 * 96 + 5) == 1);
  CHECK(split.train.inputs(2, 0) == TestType(2) / TestType(255));
  CHECK((split.train.inputs.array() == TestType(1)).count() == 4);

  options.draw.classes = {"airplane", "truck"};
  options.image.height = options.image.width = 32;
  const Split<TestType> small = load<TestType>(options);
  CHECK(small.train.size() == 3);
  CHECK(small.train.dimension() == 3072);
  CHECK(small.test.targets(0, 1) == 1);
  CHECK(small.train.inputs(1, 3071) == Approx(1 / 255.0));
}

TEST_CASE("stl10: class names of the file, and damaged files by their path") {
  const TemporaryFolder folder;
  const DatasetOptions options = write_stl10(folder);
  const fs::path binary = folder / "stl10_binary";
  write_bytes(binary / "class_names.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  CHECK(load(options).train.class_names.at(9) == "j");
  const fs::path names = write_bytes(binary / "class_names.txt", "a\nb\n");
  CHECK(contains(load_error(options), names.string() + ": 2 class names"));
  fs::remove(names);

  const fs::path labels = write_bytes(binary / "train_y.bin", bytes({1, 10, 0, 3}));
  CHECK(contains(load_error(options), labels.string() + ": label 0 of row 2"));
  write_bytes(labels, bytes({1, 10, 2}));
  CHECK(contains(load_error(options), labels.string() + " holds 3 labels but"));
  write_bytes(labels, bytes({1, 10, 2, 3}));
  const fs::path pixels = write_bytes(binary / "train_X.bin", images(4).substr(1));
  CHECK(contains(load_error(options), pixels.string() + ": truncated or not STL-10's images"));
  fs::remove(pixels);
  CHECK(contains(load_error(options), "no train_X.bin"));
}
