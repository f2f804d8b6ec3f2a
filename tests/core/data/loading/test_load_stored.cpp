#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/data/loading/stored/load_stored.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using ansatz::testing::random_matrix;

namespace {

constexpr Index kTrain = 60, kTest = 20, kColumns = 5;

std::string random_bytes(Index count, std::uint64_t seed) {
  RandomStream draws(seed);
  std::string text;
  for (Index i = 0; i < count; ++i) text += static_cast<char>(draws.bits() >> 56);
  return text;
}

std::string labels_of(Index rows) {
  std::string text;
  for (Index i = 0; i < rows; ++i) text += static_cast<char>(i % 3);
  return text;
}

/// Three classes over bytes; a quarter of the training rows validates.
DatasetOptions byte_arrays(const TemporaryFolder& folder) {
  DatasetOptions options = all_rows("arrays");
  options.task = Task::classification;
  options.draw.validation_fraction = 0.25;
  options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", "(60, 5)", random_bytes(kTrain * kColumns, 1));
  options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "|u1", "(60,)", labels_of(kTrain));
  options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", "(20, 5)", random_bytes(kTest * kColumns, 2));
  options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "|u1", "(20,)", labels_of(kTest));
  options.arrays.feature_names = {"a", "b", "c", "d", "e"};
  return options;
}

template <class Scalar>
Dataset<Scalar> whole(const StoredDataset<Scalar>& part) {
  std::vector<Index> rows(static_cast<std::size_t>(part.size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return part.rows(rows);
}

template <class Scalar>
void check_same(const StoredDataset<Scalar>& stored, const Dataset<Scalar>& loaded) {
  const Dataset<Scalar> all = whole(stored);
  CHECK(all.inputs == loaded.inputs);
  CHECK(all.targets == loaded.targets);
  CHECK(all.class_names == loaded.class_names);
  CHECK(all.feature_names == loaded.feature_names);
  CHECK(all.target_scaling.scales() == loaded.target_scaling.scales());
}

template <class Scalar>
StoredParts<Scalar> check_as_loaded(const DatasetOptions& options) {
  const Split<Scalar> loaded = load<Scalar>(options, 7);
  StoredParts<Scalar> stored = load_stored<Scalar>(options, RandomStream(7));
  check_same(stored.train, loaded.train);
  check_same(stored.validation, loaded.validation);
  check_same(stored.test, loaded.test);
  CHECK(stored.transform.normalization == loaded.transform.normalization);
  for (const std::string& note : loaded.notes) CHECK(std::count(stored.notes.begin(), stored.notes.end(), note) == 1);
  return stored;
}

}  // namespace

TEMPLATE_TEST_CASE("bytes stay in their file and become the rows that loading gives", "", float, double) {
  const TemporaryFolder folder;
  DatasetOptions options = byte_arrays(folder);
  for (const Normalization normalize :
       {Normalization::none, Normalization::unit_norm, Normalization::standardize, Normalization::min_max}) {
    options.normalize = normalize;
    const StoredParts<TestType> parts = check_as_loaded<TestType>(options);
    CHECK(parts.train.size() == 45);
    CHECK(parts.train.inputs.element() == "u1");
    CHECK(parts.train.inputs.bytes() == 45 * kColumns);
    CHECK(parts.train.rest.inputs.cols() == 0);
  }
  options.draw.classes = {"2", "0"};
  options.draw.train_size = 20;
  CHECK(check_as_loaded<TestType>(options).train.size() == 15);
}

TEST_CASE("numbers that the run's precision holds stay in their files, others do not") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("arrays");
  options.target_scaling = TargetNormalization::automatic;
  const auto write = [&](auto zero) {
    using Element = decltype(zero);
    options.arrays.train_inputs = folder / "X.npy";
    options.arrays.test_inputs = folder / "Xt.npy";
    write_npy(options.arrays.train_inputs, random_matrix<Element>(kTrain, kColumns, 1));
    write_npy(options.arrays.test_inputs, random_matrix<Element>(kTest, kColumns, 2));
  };
  options.arrays.train_targets = folder / "y.npy";
  options.arrays.test_targets = folder / "yt.npy";
  write_npy(options.arrays.train_targets, Matrix<double>(500 + 100 * random_matrix(kTrain, 1, 3).array()));
  write_npy(options.arrays.test_targets, Matrix<double>(500 + 100 * random_matrix(kTest, 1, 4).array()));
  write(float{});
  CHECK(inputs_stay_stored(options, 4));
  CHECK(check_as_loaded<float>(options).train.inputs.element() == "f4");
  write(double{});
  CHECK_FALSE(inputs_stay_stored(options, 4));
  CHECK(inputs_stay_stored(options, 8));
  check_as_loaded<float>(options);
  check_as_loaded<double>(options);
}

TEST_CASE("images whose channels are moved are loaded") {
  const TemporaryFolder folder;
  DatasetOptions options = byte_arrays(folder);
  options.arrays.feature_names.clear();
  options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", "(60, 2, 2, 3)", random_bytes(kTrain * 12, 1));
  options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", "(20, 2, 2, 3)", random_bytes(kTest * 12, 2));
  CHECK_FALSE(inputs_stay_stored(options, 4));
  check_as_loaded<float>(options);
}

TEST_CASE("what is wrong with mapped arrays is said as when they are loaded") {
  const TemporaryFolder folder;
  DatasetOptions options = byte_arrays(folder);
  options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "|u1", "(60,)", std::string(60, '\1'));
  const std::string said = message_of<DataError>([&] { load_stored<float>(options, RandomStream(0)); });
  CHECK(contains(said, "one class"));
  CHECK(said == message_of<DataError>([&] { load<float>(options); }));
}
