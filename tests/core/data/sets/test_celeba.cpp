// CelebA's layout in small: six to forty tiny pictures.
#include <atomic>

#include "core/base/error.h"
#include "core/data/sets/celeba.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/image_files.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

std::string file_name(int i) { return (i < 10 ? "00000" : "0000") + std::to_string(i) + ".jpg"; }

/// `n` pictures of value i/100, every fourth with Eyeglasses, every second Smiling.
DatasetOptions write_celeba(const TemporaryFolder& folder, int n) {
  fs::create_directory(folder / "img_align_celeba");
  std::string attributes = std::to_string(n) + "\nEyeglasses Smiling \n";
  for (int i = 1; i <= n; ++i) {
    write_bytes(folder / "img_align_celeba" / file_name(i), bytes({6, 4, i}));
    attributes += file_name(i) + (i % 4 == 0 ? "  1" : " -1") + (i % 2 == 0 ? "  1\n" : " -1\n");
  }
  write_bytes(folder / "list_attr_celeba.txt", attributes);
  DatasetOptions options = all_rows("celeba");
  options.path = folder.path();
  options.attribute = "Eyeglasses";
  options.image.height = 3;
  options.image.width = 2;
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("celeba: one attribute is the class, only drawn images are decoded", "", float, double) {
  const TemporaryFolder folder;
  DatasetOptions options = write_celeba(folder, 40);
  options.draw.balanced = true;
  std::atomic<int> decoded{0};
  const Split<TestType> split = load<TestType>(options, 0, [&](const fs::path& path) {
    ++decoded;
    return read_plain_image(path);
  });
  CHECK(split.train.class_names == std::vector<std::string>{"no Eyeglasses", "Eyeglasses"});
  CHECK(split.train.size() == 16);  // 8 of 10 with, as many without
  CHECK(split.test.size() == 4);
  CHECK(decoded == 20);
  CHECK(split.train.targets.colwise().sum() == Eigen::Matrix<TestType, 1, 2>(8, 8));
  CHECK(split.train.image_shape == ImageShape{3, 3, 2});
  for (Index i = 0; i < split.train.size(); ++i) {
    const auto number = std::lround(100 * split.train.inputs(i, 7));
    CHECK(split.train.targets(i, 1) == (number % 4 == 0));
    CHECK(split.train.source_rows[static_cast<std::size_t>(i)] == number - 1);  // the first of the list is number 1
  }
  CHECK(split.test.source_rows.size() == 4);
  CHECK(load<TestType>(options, 0, read_plain_image).train.inputs == split.train.inputs);
  CHECK(load<TestType>(options, 1, read_plain_image).train.inputs != split.train.inputs);
  CHECK(dataset_size(options).train == 16);

  options.draw.train_limit = 100;  // fewer are there
  CHECK(dataset_size(options).train == 16);
  options.draw.train_limit = 7;
  CHECK(load<TestType>(options, 0, read_plain_image).train.targets.colwise().sum() ==
        Eigen::Matrix<TestType, 1, 2>(3, 3));
  options.draw.balanced = false;
  CHECK(dataset_size(options).train == 7);
}

TEST_CASE("celeba: the official partition, where it is there") {
  const TemporaryFolder folder;
  DatasetOptions options = write_celeba(folder, 12);
  options.attribute = "Smiling";
  std::string partition;
  for (int i = 1; i <= 12; ++i) partition += file_name(i) + (i <= 6 ? " 0\n" : i <= 8 ? " 1\n" : " 2\n");
  const fs::path file = write_bytes(folder / "list_eval_partition.txt", partition);
  const Split<double> split = load(options, 0, read_plain_image);
  CHECK(split.train.size() == 6);
  CHECK(split.test.size() == 4);
  CHECK(split.test.inputs.minCoeff() == Approx(0.09));
  CHECK(split.validation.empty());
  CHECK(split.test.source_rows == std::vector<Index>{8, 9, 10, 11});  // of the whole list, not of the part

  write_bytes(file, partition.substr(0, partition.size() - 13));
  CHECK(contains(load_error(options, read_plain_image), file.string() + ": does not say where 000012.jpg belongs"));
  write_bytes(file, "000001.jpg 3\n");
  CHECK(contains(load_error(options, read_plain_image), file.string() + ":1: must be a file name and 0, 1 or 2"));
}

TEST_CASE("celeba: lists as comma-separated tables with a header") {
  const TemporaryFolder folder;
  DatasetOptions options = write_celeba(folder, 12);
  const Split<double> as_text = load(options, 0, read_plain_image);
  fs::remove(folder / "list_attr_celeba.txt");
  std::string attributes = "image_id,Eyeglasses,Smiling\r\n", partition = "image_id,partition\n";
  for (int i = 1; i <= 12; ++i) {
    attributes += file_name(i) + (i % 4 == 0 ? ",1" : ",-1") + (i % 2 == 0 ? ",1\r\n" : ",-1\r\n");
    partition += file_name(i) + (i <= 6 ? ",0\n" : i <= 8 ? ",1\n" : ",2\n");
  }
  const fs::path list = write_bytes(folder / "list_attr_celeba.csv", attributes);
  CHECK(load(options, 0, read_plain_image).train.inputs == as_text.train.inputs);
  CHECK(load(options, 0, read_plain_image).train.targets == as_text.train.targets);
  CHECK(celeba_attribute(options.path, "Smiling", "key")[1] == 1);
  write_bytes(folder / "list_eval_partition.csv", partition);
  CHECK(load(options, 0, read_plain_image).train.size() == 6);
  CHECK(load(options, 0, read_plain_image).test.size() == 4);

  write_bytes(list, "Eyeglasses,Smiling\n000001.jpg,1,1\n");
  CHECK(
      contains(load_error(options, read_plain_image), list.string() + ":1: the first line must be a header: image_id"));
  write_bytes(list, "image_id,Eyeglasses,Smiling\n000001.jpg,1\n");
  CHECK(contains(load_error(options, read_plain_image), list.string() + ":2: 2 values instead of"));
  write_bytes(list, "image_id,Eyeglasses\n");
  CHECK(contains(load_error(options, read_plain_image), "no images are listed"));
}

TEST_CASE("celeba: another attribute of all images") {
  const TemporaryFolder folder;
  const DatasetOptions options = write_celeba(folder, 8);
  CHECK(celeba_attribute(options.path, "Eyeglasses", "key") == std::vector<Index>{0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(celeba_attribute(options.path, "Smiling", "key") == std::vector<Index>{0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(contains(message_of<ConfigError>([&] { celeba_attribute(options.path, "Smilling", "task.also"); }),
                 "has no attribute \"Smilling\" (task.also); did you mean Smiling?"));
}

TEST_CASE("celeba: crop takes the middle of each picture") {
  const TemporaryFolder folder;
  DatasetOptions options = write_celeba(folder, 8);
  options.image.height = options.image.width = 4;
  options.image.crop = ImageCrop::center;
  const auto striped = [](const fs::path&) {  // 6 x 4: rows 0 and 5 are 1, those between 0
    DecodedImage image{{3, 6, 4}, std::vector<float>(72, 0.F)};
    for (std::size_t c = 0; c < 3; ++c) {
      std::fill_n(image.planes.begin() + static_cast<std::ptrdiff_t>(24 * c), 4, 1.F);
      std::fill_n(image.planes.begin() + static_cast<std::ptrdiff_t>(24 * c + 20), 4, 1.F);
    }
    return image;
  };
  CHECK(load(options, 0, striped).train.inputs.maxCoeff() == 0);
  options.image.crop = ImageCrop::whole;
  CHECK(load(options, 0, striped).train.inputs.maxCoeff() > 0.5);
}

TEST_CASE("celeba: what is wrong is named") {
  const TemporaryFolder folder;
  DatasetOptions options = write_celeba(folder, 8);
  options.attribute = "Eyeglases";
  const auto config_error = [&] { return message_of<ConfigError>([&] { load(options, 0, read_plain_image); }); };
  CHECK(contains(config_error(), "has no attribute \"Eyeglases\" (`attribute`); did you mean Eyeglasses?"));
  options.attribute = "Bald";
  CHECK(contains(config_error(), "it has Eyeglasses, Smiling"));
  options.attribute = "Smiling";

  const fs::path picture = write_bytes(folder / "img_align_celeba" / file_name(2), "");
  CHECK(contains(load_error(options, read_plain_image), picture.string() + ": cannot be read as an image"));
  CHECK(contains(load_error(options), "image decoder"));

  const fs::path list = folder / "list_attr_celeba.txt";
  const std::string complete = read_bytes(list);
  const auto complaint = [&](const std::string& text) {
    write_bytes(list, text);
    return load_error(options, read_plain_image);
  };
  const std::size_t last = complete.rfind("000008");
  CHECK(contains(complaint(complete.substr(0, last)), "truncated or damaged: 7 images, but its first line says 8"));
  CHECK(contains(complaint(complete.substr(0, complete.size() - 3)), list.string() + ":10: 2 values instead of"));
  CHECK(contains(complaint("2\nEyeglasses Smiling\na.jpg 1 2\n"), list.string() + ":3: Smiling is \"2\""));
  CHECK(contains(complaint("many\n"), list.string() + ":1: the first line"));
  CHECK(contains(complaint(""), list.string() + ":0: the first line"));
  CHECK(contains(complaint("2\n\n"), list.string() + ":2: the second line"));

  write_bytes(list, complete);
  fs::remove_all(folder / "img_align_celeba");
  CHECK(contains(load_error(options, read_plain_image), "img_align_celeba: no such folder"));
  fs::remove(list);
  CHECK(contains(load_error(options, read_plain_image), "no list_attr_celeba.txt"));
}
