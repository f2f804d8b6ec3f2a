#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/data/loading/load_dataset.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

/// ANSATZ_DATA for the length of a test.
class DataVariable {
 public:
  explicit DataVariable(const fs::path& value) {
    if (const char* old = std::getenv("ANSATZ_DATA")) old_ = old;
    ::setenv("ANSATZ_DATA", value.c_str(), 1);
  }
  DataVariable(const DataVariable&) = delete;
  DataVariable& operator=(const DataVariable&) = delete;
  ~DataVariable() {
    if (old_.empty())
      ::unsetenv("ANSATZ_DATA");
    else
      ::setenv("ANSATZ_DATA", old_.c_str(), 1);
  }

 private:
  std::string old_;
};

DatasetOptions low_rank(Index train, Index validation, Index test) {
  DatasetOptions options = all_rows("low_rank");
  options.draw.train_size = train;
  options.draw.validation_size = validation;
  options.draw.test_size = test;
  options.low_rank.dimension = 6;
  return options;
}

}  // namespace

TEST_CASE("every data set of the table can be asked for, and says how it is got") {
  std::vector<std::string> names;
  for (const DatasetInfo& info : dataset_table()) {
    names.push_back(info.name);
    CHECK_FALSE(info.summary.empty());
    CHECK(info.searched.empty() == info.how_to_get.empty());
  }
  for (const char* name : {"arrays", "celeba", "cifar10", "cifar_mnist", "crowded_digits", "csv", "fashion_mnist",
                           "idx", "image_folder", "emnist_balanced", "emnist_letters", "kmnist", "low_rank", "mnist",
                           "starred_planes_trucks", "stl10", "svhn", "text"}) {
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  CHECK(contains(load_error(all_rows("minst")),
                 "there is no data set \"minst\"; there are: fashion_mnist, mnist, kmnist"));
}

TEST_CASE("a named data set is looked for in its path, then in ANSATZ_DATA, then in the system's folder") {
  const TemporaryFolder folder;
  const DataVariable variable(folder.path());
  DatasetOptions options = all_rows("cifar10");
  const std::string nowhere = message_of<DataError>([&] { find_dataset(options.name, options.path); });
  CHECK(contains(nowhere, (folder / "cifar10").string() + " (no such folder)"));
  CHECK(contains(nowhere, (folder / "cifar10" / "cifar-10-batches-bin").string()));
  CHECK(contains(nowhere, "/usr/share/datasets/cifar10"));
  CHECK(contains(nowhere, "cifar-10-binary.tar.gz"));

  fs::create_directories(folder / "cifar10");
  write_bytes(folder / "cifar10" / "data_batch_3.bin", "");
  CHECK(contains(message_of<DataError>([&] { find_dataset(options.name, options.path); }), "(no test_batch.bin)"));
  write_bytes(folder / "cifar10" / "test_batch.bin", "");
  CHECK(find_dataset(options.name, options.path) == folder / "cifar10");

  options.path = folder / "elsewhere";
  const std::string elsewhere = message_of<DataError>([&] { find_dataset(options.name, options.path); });
  CHECK(contains(elsewhere, (folder / "elsewhere").string()));
  CHECK_FALSE(contains(elsewhere, "/usr/share"));

  DatasetOptions fashion = all_rows("fashion_mnist");
  fashion.path = folder.path();
  CHECK(contains(message_of<DataError>([&] { find_dataset(fashion.name, fashion.path); }),
                 "apt-get install dataset-fashion-mnist"));
}

TEMPLATE_TEST_CASE("the same seed gives the same bytes, sizes do not shift each other", "", float, double) {
  const Split<TestType> split = load<TestType>(low_rank(20, 5, 10), 7);
  CHECK(load<TestType>(low_rank(20, 5, 10), 7).train.inputs == split.train.inputs);
  CHECK(load<TestType>(low_rank(20, 0, 30), 7).train.inputs == split.train.inputs);
  CHECK(load<TestType>(low_rank(90, 0, 10), 7).test.targets == split.test.targets);
  CHECK(load<TestType>(low_rank(20, 5, 10), 8).train.inputs != split.train.inputs);
  CHECK(split.validation.size() == 5);
  CHECK(split.truth);
  const DatasetSize size = dataset_size(low_rank(20, 5, 10));
  CHECK(size.validation == 5);
  CHECK(size.dimension == 6);
  CHECK(size.outputs == 1);
}

TEST_CASE("inputs are scaled as asked, after the rows are drawn") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("arrays");
  options.arrays.train_inputs = write_matrix<double>(folder / "X.npy", 4, 1, {0, 2, 4, 1000});
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, {0, 1, 2, 3});
  options.arrays.test_inputs = options.arrays.train_inputs;
  options.arrays.test_targets = options.arrays.train_targets;
  options.draw.train_size = 3;
  options.normalize = Normalization::min_max;
  std::uint64_t seed = 0;
  while (load(options, seed).train.targets.maxCoeff() == 3) ++seed;  // a draw without the row of 1000
  const Split<double> split = load(options, seed);
  CHECK(split.train.inputs == Vector<double>(Eigen::Vector3d(0, 0.5, 1)));
  CHECK(split.test.inputs(3, 0) == 250);
  CHECK(contains(split.notes.back(), "scaled to [0, 1]"));
}

TEST_CASE("a column of one's own that is far larger than models expect is said, unless it is scaled or a picture") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("arrays");
  options.arrays.train_inputs = write_matrix<double>(folder / "X.npy", 3, 2, {0.5, 1950, -1, 1962, 2, 2024});
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 3, 1, {-1, 0, 1});
  options.arrays.test_inputs = options.arrays.train_inputs;
  options.arrays.test_targets = options.arrays.train_targets;
  const auto warned = [&] {
    return contains(load(options).notes.back(), "input column 1 has the root mean square 1979");
  };
  CHECK(warned());
  options.normalize = Normalization::standardize;
  CHECK_FALSE(warned());
  options.normalize = Normalization::none;
  options.arrays.image_shape = ImageShape{1, 1, 2};
  CHECK_FALSE(warned());
  options.arrays.image_shape.reset();
  options.arrays.train_inputs = write_matrix<double>(folder / "X.npy", 3, 2, {0.5, 95, -1, 96, 2, 104});
  CHECK_FALSE(warned());
}

TEST_CASE("a synthetic task needs sizes") {
  CHECK(contains(load_error(low_rank(0, 0, 10)), "train_size"));
  CHECK(contains(load_error(low_rank(1, 0, 10)), "n = 1 row"));
}
