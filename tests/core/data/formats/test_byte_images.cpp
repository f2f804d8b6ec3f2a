// MNIST's idx format and CIFAR-10's binary one.
#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

std::string idx_images(int n, int height, int width, int first = 0) {
  std::string text = bytes({0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, height, 0, 0, 0, width});
  for (int i = 0; i < n * height * width; ++i) text += static_cast<char>((first + i) % 256);
  return text;
}

std::string idx_labels(std::initializer_list<int> labels) {
  return bytes({0, 0, 8, 1, 0, 0, 0, static_cast<int>(labels.size())}) + bytes(labels);
}

/// Four training and two test images of 2 x 3 pixels.
void write_idx(const fs::path& folder) {
  write_bytes(folder / "train-images-idx3-ubyte", idx_images(4, 2, 3, 250));
  write_bytes(folder / "train-labels-idx1-ubyte", idx_labels({0, 1, 3, 1}));
  write_gzip(folder / "t10k-images-idx3-ubyte.gz", idx_images(2, 2, 3));
  write_gzip(folder / "t10k-labels-idx1-ubyte.gz", idx_labels({1, 0}));
}

DatasetOptions in_folder(const std::string& name, const TemporaryFolder& folder) {
  DatasetOptions options = all_rows(name);
  options.path = folder.path();
  return options;
}

/// The most memory this process has held so far, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string big_endian(int value) { return bytes({value >> 24, value >> 16 & 255, value >> 8 & 255, value & 255}); }

/// Header of n images, and what a sparse file or a run of zeros holds behind it.
std::string many_images(int n, int height, int width) {
  return bytes({0, 0, 8, 3}) + big_endian(n) + big_endian(height) + big_endian(width);
}

std::string cifar_records(std::initializer_list<int> labels) {
  std::string text;
  for (const int label : labels) {
    text += static_cast<char>(label);
    for (int i = 0; i < 3072; ++i)
      text += static_cast<char>((i / 1024) * 100 + label);  // R = 0, G = 100, B = 200, plus label
  }
  return text;
}

}  // namespace

TEMPLATE_TEST_CASE("idx files, plain and gzipped, become values between 0 and 1", "", float, double) {
  const TemporaryFolder folder;
  write_idx(folder.path());
  const Split<TestType> split = load<TestType>(in_folder("idx", folder));
  REQUIRE(split.train.size() == 4);
  REQUIRE(split.test.size() == 2);
  CHECK(split.train.inputs(0, 5) == TestType(1));  // byte 255
  CHECK(split.train.inputs(1, 1) == TestType(1) / TestType(255));
  CHECK(split.test.inputs(1, 0) == TestType(6) / TestType(255));
  CHECK(split.train.image_shape == ImageShape{1, 2, 3});
  CHECK(split.train.class_names == std::vector<std::string>{"0", "1", "2", "3"});
  CHECK(split.train.targets(2, 3) == TestType(1));
  CHECK(split.train.targets.sum() == TestType(4));
  CHECK(contains(split.notes.at(0), folder.path().string()));
  CHECK(dataset_size(in_folder("idx", folder)).dimension == 6);
}

TEST_CASE("every byte divided by 255 in float32 is the float32 nearest to the float64 quotient") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  write_bytes(folder / "train-images-idx3-ubyte", idx_images(4, 16, 16));
  write_gzip(folder / "t10k-images-idx3-ubyte.gz", idx_images(2, 16, 16));
  const Matrix<double> exact = load<double>(in_folder("idx", folder)).train.inputs;
  const Matrix<float> rounded = load<float>(in_folder("idx", folder)).train.inputs;
  for (Index b = 0; b < 256; ++b) {
    CHECK(exact(0, b) == static_cast<double>(b) / 255);
    CHECK(rounded(0, b) == static_cast<float>(exact(0, b)));
  }
}

TEST_CASE("Fashion-MNIST's classes have names") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  DatasetOptions options = in_folder("fashion_mnist", folder);
  CHECK(load(options).train.outputs() == 10);
  options.draw.classes = {"Dress", "Trouser"};
  const Split<double> split = load(options);
  CHECK(split.train.size() == 3);
  CHECK(split.train.targets(1, 0) == 1);  // label 3
  CHECK(split.train.targets(0, 1) == 1);  // label 1
  CHECK(dataset_size(options).train == 3);
  CHECK(dataset_size(options).outputs == 2);
}

TEST_CASE("KMNIST's classes have names") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  DatasetOptions options = in_folder("kmnist", folder);
  options.draw.classes = {"tsu", "ki"};  // labels 3 and 1
  CHECK(load(options).train.targets.colwise().sum() == Eigen::RowVector2d(1, 2));
}

TEST_CASE("idx labels that do not start at 0 are classes from the smallest on") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  write_bytes(folder / "train-labels-idx1-ubyte", idx_labels({1, 2, 4, 2}));
  write_gzip(folder / "t10k-labels-idx1-ubyte.gz", idx_labels({2, 1}));
  const Split<double> split = load(in_folder("idx", folder));
  CHECK(split.train.class_names == std::vector<std::string>{"1", "2", "3", "4"});
  CHECK(split.train.targets(2, 3) == 1);
  CHECK(split.test.targets(1, 0) == 1);
}

namespace {

/// Two training images and a test image of 3 x 3 pixels.
void write_emnist(const fs::path& folder, const std::string& split, std::initializer_list<int> labels) {
  const std::string prefix = "emnist-" + split;
  write_bytes(folder / (prefix + "-train-images-idx3-ubyte"), idx_images(2, 3, 3));
  write_bytes(folder / (prefix + "-train-labels-idx1-ubyte"), idx_labels(labels));
  write_gzip(folder / (prefix + "-test-images-idx3-ubyte.gz"), idx_images(1, 3, 3, 100));
  write_gzip(folder / (prefix + "-test-labels-idx1-ubyte.gz"), idx_labels({*labels.begin()}));
}

}  // namespace

TEST_CASE("EMNIST: images stand upright, classes are those of the mapping, letters start at label 1") {
  const TemporaryFolder folder;
  write_emnist(folder.path(), "letters", {26, 1});
  const Split<double> letters = load(in_folder("emnist_letters", folder));
  CHECK(letters.train.outputs() == 26);
  CHECK(letters.train.targets(0, 25) == 1);
  CHECK(letters.train.targets(1, 0) == 1);
  CHECK(letters.train.class_names.front() == "A");
  CHECK(letters.train.class_names.back() == "Z");
  // The file has 0 1 2 / 3 4 5 / 6 7 8.
  const Matrix<double> seen = (Matrix<double>(1, 9) << 0, 3, 6, 1, 4, 7, 2, 5, 8).finished();
  CHECK((letters.train.inputs.row(0) * 255 - seen).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(std::any_of(letters.notes.begin(), letters.notes.end(),
                    [](const std::string& note) { return contains(note, "transposed"); }));

  write_emnist(folder.path(), "letters", {0, 1});
  CHECK(contains(load_error(in_folder("emnist_letters", folder)), "label 0 of row 0"));

  // The last labels of emnist-balanced-mapping.txt (46 116) and emnist-byclass-mapping.txt (61 122), and 36 97 of both.
  write_emnist(folder.path(), "balanced", {46, 36});
  const Split<double> balanced = load(in_folder("emnist_balanced", folder));
  CHECK(balanced.train.outputs() == 47);
  CHECK(balanced.train.class_names[46] == "t");
  CHECK(balanced.train.class_names[36] == "a");
  CHECK(balanced.train.class_names[37] == "b");
  CHECK(balanced.train.class_names[38] == "d");
  CHECK(balanced.train.class_names[10] == "A");
  write_emnist(folder.path(), "byclass", {61, 36});
  CHECK(load(in_folder("emnist_byclass", folder)).train.class_names[61] == "z");
  write_emnist(folder.path(), "digits", {9, 0});
  CHECK(load(in_folder("emnist_digits", folder)).train.outputs() == 10);
  CHECK(contains(load_error(in_folder("emnist_mnist", folder)), "emnist-mnist-train-images-idx3-ubyte"));
}

TEST_CASE("idx files without a single image are refused") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  write_bytes(folder / "train-images-idx3-ubyte", idx_images(0, 2, 3));
  write_bytes(folder / "train-labels-idx1-ubyte", idx_labels({}));
  CHECK(contains(load_error(in_folder("idx", folder)), "no training rows are left"));
}

TEST_CASE("damaged idx files are named") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  const DatasetOptions options = in_folder("mnist", folder);
  const fs::path images = folder / "train-images-idx3-ubyte", labels = folder / "train-labels-idx1-ubyte";
  const auto complaint = [&] { return load_error(options); };

  SECTION("missing") {
    fs::remove(labels);
    CHECK(contains(complaint(), folder.path().string() + " (no train-labels-idx1-ubyte)"));
  }
  SECTION("wrong magic number") {
    write_bytes(images, idx_labels({0, 1, 3, 1, 0, 0, 0, 0, 0, 0}));
    CHECK(contains(complaint(), images.string() + ": wrong magic number 2049"));
  }
  SECTION("truncated") {
    write_bytes(images, idx_images(4, 2, 3).substr(0, 30));
    CHECK(contains(complaint(), images.string() + ": truncated: 30 bytes, but its header says 40"));
  }
  SECTION("truncated header") {
    write_bytes(labels, "\0\0");
    CHECK(contains(complaint(), labels.string() + ": truncated"));
  }
  SECTION("truncated .gz") {
    const fs::path packed = folder / "t10k-images-idx3-ubyte.gz";
    write_gzip(packed, idx_images(2, 200, 200));
    write_bytes(packed, read_bytes(packed).substr(0, 60));
    write_bytes(images, idx_images(4, 200, 200));
    CHECK(contains(complaint(), packed.string()));
  }
  SECTION("trailing bytes") {
    write_bytes(labels, idx_labels({0, 1, 3, 1}) + "x");
    CHECK(contains(complaint(), labels.string() + ": too long"));
  }
  SECTION("another number of labels than images") {
    write_bytes(labels, idx_labels({0, 1, 3}));
    CHECK(contains(complaint(), labels.string() + " holds 3 labels but " + images.string() + " holds 4 images"));
  }
  SECTION("a label beyond the classes") {
    write_bytes(labels, idx_labels({0, 1, 10, 1}));
    CHECK(contains(complaint(), labels.string() + ": label 10 of row 2"));
  }
  SECTION("test images of another size") {
    write_gzip(folder / "t10k-images-idx3-ubyte.gz", idx_images(2, 3, 3));
    CHECK(contains(complaint(), "images of 3 x 3"));
  }
  SECTION("one class") {
    write_bytes(labels, idx_labels({1, 1, 1, 1}));
    CHECK(contains(complaint(), "all 4 training rows are of one class (\"1\")"));
  }
  SECTION("a single row drawn") {
    DatasetOptions single = options;
    single.draw.train_size = 1;
    CHECK(contains(load_error(single), "n = 1 row"));
  }
}

TEST_CASE("byte images are resized as they are drawn") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  DatasetOptions options = in_folder("idx", folder);
  options.image.height = 1;  // 2 x 3 becomes 1 x 3: the two rows' mean
  const Split<double> split = load(options);
  CHECK(split.train.image_shape == ImageShape{1, 1, 3});
  CHECK(split.test.inputs(0, 1) == Approx((1 + 4) / 2.0 / 255));
  CHECK(dataset_size(options).dimension == 3);
  CHECK(contains(split.notes.at(1), "resized to 1 x 3"));
}

TEMPLATE_TEST_CASE("CIFAR-10 batches, as many as are there", "", float, double) {
  const TemporaryFolder folder;
  const fs::path batches = folder / "cifar-10-batches-bin";
  fs::create_directory(batches);
  write_bytes(batches / "data_batch_2.bin", cifar_records({3, 9}));
  write_bytes(batches / "data_batch_4.bin", cifar_records({0}));
  write_bytes(batches / "test_batch.bin", cifar_records({5, 1}));
  const Split<TestType> split = load<TestType>(in_folder("cifar10", folder));
  REQUIRE(split.train.size() == 3);
  REQUIRE(split.train.dimension() == 3072);
  CHECK(split.train.image_shape == ImageShape{3, 32, 32});
  CHECK(split.train.inputs(0, 0) == TestType(3) / TestType(255));
  CHECK(split.train.inputs(1, 1024) == TestType(109) / TestType(255));
  CHECK(split.test.inputs(0, 3071) == TestType(205) / TestType(255));
  CHECK(split.train.targets(1, 9) == 1);
  CHECK(split.train.class_names.at(3) == "cat");
  CHECK(contains(split.notes.at(0), "2 of 5 training batches"));
}

TEST_CASE("CIFAR-10 names classes by its meta file and damaged batches by their path") {
  const TemporaryFolder folder;
  write_bytes(folder / "data_batch_1.bin", cifar_records({3, 9}));
  write_bytes(folder / "test_batch.bin", cifar_records({5, 1}));
  write_bytes(folder / "batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  CHECK(load(in_folder("cifar10", folder)).train.class_names.at(9) == "j");
  CHECK(dataset_size(in_folder("cifar10", folder)).train == 2);

  const std::string path = (folder / "data_batch_1.bin").string();
  write_bytes(path, cifar_records({3, 9}).substr(0, 5000));
  CHECK(contains(load_error(in_folder("cifar10", folder)), path + ": truncated or not a CIFAR-10 batch: 5000 bytes"));
  write_bytes(path, cifar_records({3, 77}));
  CHECK(contains(load_error(in_folder("cifar10", folder)), path + ": record 1 (counted from 0) has label 77"));
  fs::remove(path);
  CHECK(contains(load_error(in_folder("cifar10", folder)), "no data_batch_1.bin"));
}

TEST_CASE("of a large idx file only the rows drawn are read, plain or gzipped") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  constexpr int kImages = 500'000, kSide = 28;
  constexpr std::size_t kBytes = std::size_t{kImages} * kSide * kSide;  // 392 MB
  std::string labels = bytes({0, 0, 8, 1}) + big_endian(kImages);
  for (int i = 0; i < kImages; ++i) labels += static_cast<char>(i % 10);
  write_bytes(folder / "train-labels-idx1-ubyte", labels);
  write_gzip(folder / "t10k-images-idx3-ubyte.gz", many_images(2, kSide, kSide) + std::string(2 * kSide * kSide, 'x'));
  SECTION("plain") {
    write_bytes(folder / "train-images-idx3-ubyte", many_images(kImages, kSide, kSide));
    fs::resize_file(folder / "train-images-idx3-ubyte", 16 + kBytes);
  }
  SECTION("gzipped") {
    fs::remove(folder / "train-images-idx3-ubyte");
    gzFile file = gzopen((folder / "train-images-idx3-ubyte.gz").c_str(), "wb1");
    gzwrite(file, many_images(kImages, kSide, kSide).data(), 16);
    const std::string zeros(1 << 22, '\0');
    for (std::size_t left = kBytes; left > 0; left -= std::min(left, zeros.size()))
      gzwrite(file, zeros.data(), static_cast<unsigned>(std::min(left, zeros.size())));
    gzclose(file);
  }
  DatasetOptions options = in_folder("idx", folder);
  options.draw.train_size = 10;
  const double before = peak_memory();
  CHECK(load(options).train.size() == 10);
  CHECK(peak_memory() - before < 0.25 * static_cast<double>(kBytes));
}

TEST_CASE("the rows drawn are the same bytes whichever way they are read") {
  const TemporaryFolder plain, packed;
  write_idx(plain.path());
  write_idx(packed.path());
  const std::string images = idx_images(40, 5, 7), labels = [] {
    std::string text = bytes({0, 0, 8, 1, 0, 0, 0, 40});
    for (int i = 0; i < 40; ++i) text += static_cast<char>(i % 4);
    return text;
  }();
  for (const TemporaryFolder* folder : {&plain, &packed}) {
    write_bytes(*folder / "train-labels-idx1-ubyte", labels);
    write_gzip(*folder / "t10k-images-idx3-ubyte.gz", idx_images(2, 5, 7));
  }
  write_bytes(plain / "train-images-idx3-ubyte", images);
  fs::remove(packed / "train-images-idx3-ubyte");
  write_gzip(packed / "train-images-idx3-ubyte.gz", images);
  DatasetOptions options = in_folder("idx", plain);
  const Split<double> all = load(options);
  options.draw.train_size = 15;
  options.draw.validation_size = 5;
  const Split<double> from_plain = load(options);
  options.path = packed.path();
  const Split<double> from_packed = load(options);
  CHECK(from_plain.train.inputs == from_packed.train.inputs);
  CHECK(from_plain.validation.inputs == from_packed.validation.inputs);
  // Every drawn row is one of the file's, with its own label.
  for (Index i = 0; i < from_plain.train.size(); ++i) {
    Index found = -1;
    for (Index j = 0; j < all.train.size(); ++j)
      if (all.train.inputs.row(j) == from_plain.train.inputs.row(i)) found = j;
    REQUIRE(found >= 0);
    CHECK(all.train.targets.row(found) == from_plain.train.targets.row(i));
  }
}

TEST_CASE("an idx header that no file of its size can fulfil is refused") {
  const TemporaryFolder folder;
  write_idx(folder.path());
  const auto complaint = [&] { return load_error(in_folder("idx", folder)); };
  const fs::path images = folder / "train-images-idx3-ubyte";
  write_bytes(images, bytes({0, 0, 8, 3, 0, 0, 0, 0, 127, 127, 127, 127, 127, 127, 127, 127}));  // no images, but large
  CHECK(contains(complaint(), images.string() + ": damaged: its header says"));
  fs::remove(images);
  write_gzip(folder / "train-images-idx3-ubyte.gz", bytes({0, 0, 8, 3, 127, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}));
  CHECK(contains(complaint(), "train-images-idx3-ubyte.gz: truncated"));
  std::string damaged;
  write_gzip(folder / "train-images-idx3-ubyte.gz", idx_images(4, 2, 3));
  damaged = read_bytes(folder / "train-images-idx3-ubyte.gz");
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);  // within the checksum
  write_bytes(folder / "train-images-idx3-ubyte.gz", damaged);
  CHECK(contains(complaint(), "corrupt gzip file"));
}
