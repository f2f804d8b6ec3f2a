#include <atomic>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/image_files.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

void write_class(const fs::path& folder, int first, int count) {
  fs::create_directories(folder);
  for (int i = 0; i < count; ++i)
    write_bytes(folder / (std::to_string(i) + (i % 2 ? ".jpg" : ".PNG")), bytes({4, 5, first + i}));
  write_bytes(folder / "notes.txt", "not an image");
  write_bytes(folder / ".hidden.png", "");
}

DatasetOptions images_in(const fs::path& path) {
  DatasetOptions options = all_rows("image_folder");
  options.path = path;
  options.image.height = 2;
  options.image.width = 3;
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("sub-folders are classes, split at random", "", float, double) {
  const TemporaryFolder folder;
  write_class(folder / "dog", 50, 6);
  write_class(folder / "cat", 10, 4);
  const DatasetOptions options = images_in(folder.path());
  const Split<TestType> split = load<TestType>(options, 0, read_plain_image);
  CHECK(split.train.class_names == std::vector<std::string>{"cat", "dog"});
  CHECK(split.train.size() == 8);
  CHECK(split.test.size() == 2);
  CHECK(split.train.image_shape == ImageShape{3, 2, 3});
  CHECK(split.train.dimension() == 18);
  for (Index i = 0; i < split.train.size(); ++i) {
    CHECK(split.train.targets(i, 1) == (split.train.inputs(i, 0) >= TestType(0.5)));
  }
  CHECK(dataset_size(options).train == 8);
}

TEST_CASE("train and test sub-folders are used if there are both, only drawn images are read") {
  const TemporaryFolder folder;
  for (const char* part : {"train", "test"}) {
    write_class(folder / part / "cat", 10, 5);
    write_class(folder / part / "dog", 50, 5);
  }
  DatasetOptions options = images_in(folder.path());
  options.draw.train_size = 4;
  options.draw.balanced = true;
  std::atomic<int> read{0};
  const Split<double> split = load(options, 0, [&](const fs::path& path) {
    ++read;
    return read_plain_image(path);
  });
  CHECK(split.train.size() == 4);
  CHECK(split.train.targets.colwise().sum() == Eigen::RowVector2d(2, 2));
  CHECK(split.test.size() == 10);
  CHECK(read == 14);
}

TEST_CASE("what is wrong with an image folder is named") {
  const TemporaryFolder folder;
  write_class(folder / "cat", 10, 4);
  DatasetOptions options = images_in(folder.path());
  CHECK(contains(load_error(options, read_plain_image), folder.path().string() + ": 1 class sub-folder"));
  fs::create_directory(folder / "dog");
  CHECK(contains(load_error(options, read_plain_image), (folder / "dog").string() + ": no pictures there"));
  write_class(folder / "dog", 50, 4);
  CHECK(contains(load_error(options), "image decoder"));

  const auto broken = write_bytes(folder / "dog" / "0.PNG", "");
  CHECK(
      contains(load_error(options, read_plain_image), broken.string() + ": cannot be read as an image: not an image"));
  const ImageReader named = [](const fs::path& path) -> DecodedImage { throw DataError(path.string() + ": no JPEG"); };
  CHECK(contains(load_error(options, named), ": no JPEG"));
  const ImageReader short_reader = [](const fs::path&) { return DecodedImage{{3, 2, 3}, std::vector<float>(7)}; };
  CHECK(contains(load_error(options, short_reader), "decoded to 7 values, which are not 3 planes of 2 x 3"));

  options.image.width = 0;
  CHECK(contains(load_error(options, read_plain_image), "image_width"));
  options.path = folder / "nowhere";
  CHECK(contains(load_error(options, read_plain_image), (folder / "nowhere").string() + " (no such folder)"));
  options.path.clear();
  CHECK(contains(load_error(options, read_plain_image), "`path` is not given"));
}

TEST_CASE("what an image folder leaves out is counted") {
  const TemporaryFolder folder;
  write_class(folder / "dog", 50, 4);
  write_class(folder / "cat", 10, 4);
  write_bytes(folder / "cat" / "a.webp", bytes({4, 5, 6}));
  write_bytes(folder / "cat" / "b.TIFF", bytes({4, 5, 6}));
  fs::create_directory(folder / "dog" / "more");
  const Split<double> split = load(images_in(folder.path()), 0, read_plain_image);
  CHECK(split.train.size() + split.test.size() == 10);
  CHECK(std::any_of(split.notes.begin(), split.notes.end(), [&](const std::string& note) {
    return contains(note,
                    "3 left out that are no picture by the name, such as " + (folder / "cat" / "notes.txt").string());
  }));
}

TEST_CASE("a test class without training images is an error") {
  const TemporaryFolder folder;
  for (const char* name : {"train/cat", "train/dog", "test/cat", "test/fox"}) write_class(folder / name, 10, 2);
  CHECK(contains(load_error(images_in(folder.path()), read_plain_image), (folder / "test" / "fox").string()));
}
