#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/data/target_scaling.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

/// Four training rows and two test rows; mean and standard deviation by hand below.
DatasetOptions prices_in(const TemporaryFolder& folder, std::initializer_list<double> train = {520, 610, 431, 619}) {
  DatasetOptions options = all_rows("arrays");
  options.target_scaling = TargetNormalization::standardize;
  options.arrays.train_inputs = write_matrix<double>(folder / "x.npy", 4, 2, {0.1, 2, 3, 4, 5, 6, 7, 8});
  options.arrays.test_inputs = write_matrix<double>(folder / "xt.npy", 2, 2, {9, 10, 11, 12});
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, train);
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 1, {700, 545});
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("regression targets are standardised by the training rows alone", "", float, double) {
  const TemporaryFolder folder;
  const Split<TestType> split = load<TestType>(prices_in(folder));
  // Mean 2180 / 4; deviations -25, 65, -114, 74, of which the squares have the mean 23322 / 4.
  const TargetScaling& scaling = split.train.target_scaling;
  REQUIRE(scaling.scales());
  CHECK(scaling.mean[0] == 545);
  CHECK(scaling.sd[0] == Approx(std::sqrt(23322 / 4.0)).epsilon(1e-14));
  CHECK(split.train.targets(2, 0) == Approx(-1.4929729924076514).epsilon(1e-6));  // (431 - 545) / sd
  CHECK(split.test.targets(0, 0) == Approx(2.0299194195016312).epsilon(1e-6));    // (700 - 545) / sd
  CHECK(split.test.targets(1, 0) == 0);
  CHECK(split.test.target_scaling == scaling);
  const Matrix<TestType> back = scaling.to_original(split.test.targets);
  CHECK(back(0, 0) == Approx(700).epsilon(1e-6));
  CHECK(back(1, 0) == TestType(545));
  CHECK(split.train.rows({2, 0}).target_scaling == scaling);
  CHECK(split.notes.back() == "targets standardised by mean 545 and standard deviation 76.3577 of the training rows");
  CHECK(dataset_size(prices_in(folder), RandomStream(0)).target_scaling == scaling);
}

TEST_CASE("without scaling targets come as they are, and a far unit is warned of") {
  const TemporaryFolder folder;
  DatasetOptions options = prices_in(folder);
  options.target_scaling = TargetNormalization::none;
  const Split<double> split = load(options);
  CHECK_FALSE(split.train.target_scaling.scales());
  CHECK(split.train.targets(2, 0) == 431);
  CHECK(contains(split.notes.back(), "target column 0 has mean 545 and standard deviation 76.36"));
  CHECK(contains(split.notes.back(), "target_scaling: standardize"));
  CHECK_FALSE(dataset_size(options).target_scaling.scales());
  options = prices_in(folder, {-1, 0.5, 1.5, -0.5});
  options.target_scaling = TargetNormalization::none;
  for (const std::string& note : load(options).notes) CHECK_FALSE(contains(note, "target column"));
}

TEST_CASE("automatic scaling leaves targets near mean 0 and standard deviation 1 as they are") {
  const TemporaryFolder folder;
  const auto scales = [&](std::initializer_list<double> train) {
    DatasetOptions options = prices_in(folder, train);
    options.target_scaling = TargetNormalization::automatic;
    const Split<double> split = load(options);
    const DatasetSize size = dataset_size(options);
    CHECK(size.target_scaling == split.train.target_scaling);
    for (const std::vector<std::string>& notes : {split.notes, size.notes})  // of the report, and of `ansatz plan`
      CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
              return contains(note, "targets as they came");
            }) != split.train.target_scaling.scales());
    return split.train.target_scaling.scales();
  };
  CHECK_FALSE(scales({-1, 1, -1, 1}));              // mean 0, sd 1
  CHECK_FALSE(scales({-0.55, 1.45, -0.55, 1.45}));  // mean 0.45, sd 1
  CHECK(scales({-0.45, 1.55, -0.45, 1.55}));        // mean 0.55
  CHECK_FALSE(scales({-1.9, 1.9, -1.9, 1.9}));
  CHECK(scales({-2.1, 2.1, -2.1, 2.1}));
  CHECK(scales({-0.45, 0.45, -0.45, 0.45}));
}

TEST_CASE("each target column has a scaling of its own, and a constant one is only shifted") {
  const TemporaryFolder folder;
  DatasetOptions options = prices_in(folder);
  options.arrays.train_targets =
      write_matrix<double>(folder / "y.npy", 4, 3, {520, 7, 1e-3, 610, 7, 2e-3, 431, 7, 3e-3, 619, 7, 4e-3});
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 3, {700, 9, 5e-3, 545, 7, 1e-3});
  const Split<double> split = load(options);
  const TargetScaling& scaling = split.train.target_scaling;
  CHECK(scaling.mean[1] == 7);
  CHECK(scaling.sd[1] == 1);
  CHECK(scaling.sd[2] == Approx(std::sqrt(1.25) * 1e-3));
  CHECK((split.train.targets.col(1).array() == 0).all());
  CHECK(split.test.targets(0, 1) == 2);
  CHECK(split.train.targets(3, 2) == Approx(1.5 / std::sqrt(1.25)));
}

TEST_CASE("what cannot be learnt is said in the targets' own unit") {
  const TemporaryFolder folder;
  CHECK(contains(load_error(prices_in(folder, {545, 545, 545, 545})), "all 4 training targets are 545"));
  CHECK(contains(load_error(prices_in(folder, {2e150, 2, 3, 4})), "the target 2e+150 is so large"));
  CHECK(
      contains(load_error(prices_in(folder, {1e-160, 2e-160, 3e-160, 4e-160})), "targets are so small (up to 4e-160)"));
  DatasetOptions options = prices_in(folder);
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 1, {700, 700});
  const Split<double> alike = load(options);
  CHECK(contains(alike.notes.back(), "all 2 test targets are 700: R² is not defined on them"));
}

TEST_CASE("targets that float32 could not tell apart are scaled before they are rounded") {
  const TemporaryFolder folder;
  DatasetOptions options = prices_in(folder, {1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3});
  const Split<float> split = load<float>(options);
  CHECK(split.train.targets(3, 0) - split.train.targets(2, 0) == Approx(1 / std::sqrt(1.25)));
  options.target_scaling = TargetNormalization::none;
  CHECK(contains(message_of<DataError>([&] { load<float>(options); }), "float32 rounds"));
}

TEST_CASE("class labels are never scaled") {
  const TemporaryFolder folder;
  DatasetOptions options = prices_in(folder);
  options.task = Task::classification;
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, {0, 1, 1, 0});
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 1, {1, 0});
  const Split<double> split = load(options);
  CHECK_FALSE(split.train.target_scaling.scales());
  CHECK(split.train.targets(1, 0) == 1);
}
