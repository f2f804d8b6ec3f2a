#include <cmath>

#include "experiments/results/constant_baseline.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Dataset<double> rows(std::initializer_list<double> targets) {
  Dataset<double> data;
  data.targets = Eigen::Map<const Vector<double>>(targets.begin(), static_cast<Index>(targets.size()));
  data.inputs = data.targets;
  return data;
}

KernelMachineRecord machine(const std::string& label, std::optional<double> validation, std::optional<double> test) {
  KernelMachineRecord result;
  result.label = label;
  const auto of = [](double mse) {
    Metrics metrics;
    metrics.mse = mse;
    return metrics;
  };
  if (validation) result.metrics.validation = of(*validation);
  if (test) result.metrics.test = of(*test);
  return result;
}

}  // namespace

TEST_CASE("a model that the mean of the training targets beats on the test rows is named") {
  Split<double> split;
  split.train = rows({0, 4});       // mean 2
  split.test = rows({1, 2, 6});     // mean squared deviation from 2: (1 + 0 + 16) / 3
  split.validation = rows({2, 4});  // (0 + 4) / 2
  RunRecord record;
  record.data.emplace();
  record.data->test_size = 3;
  record.kernel_machines = {machine("good", 9, 5.6), machine("bad", 0.1, 5.7), machine("equal", 0.1, 17.0 / 3)};
  CHECK(constant_mse(split) == Approx(17.0 / 3));
  const std::vector<std::string> said = beaten_by_a_constant(record, 17.0 / 3);
  REQUIRE(said.size() == 2);
  CHECK(contains(said[0], "bad: its mean squared error on the test rows, 5.7, is no smaller than the 5.667"));
  CHECK(contains(said[1], "equal: "));

  split.test = {};
  record.data->test_size = 0;
  CHECK(constant_mse(split) == Approx(2));
  const std::vector<std::string> by_validation = beaten_by_a_constant(record, 2);
  REQUIRE(by_validation.size() == 1);
  CHECK(
      contains(by_validation[0], "good: its mean squared error on the validation rows, 9, is no smaller than the 2 "));
}

TEST_CASE("nothing is said where no row was held out, or where the constant is right") {
  Split<double> split;
  split.train = rows({0, 4});
  CHECK(std::isnan(constant_mse(split)));
  RunRecord record;
  record.data.emplace();
  record.kernel_machines = {machine("any", {}, {})};
  CHECK(beaten_by_a_constant(record, constant_mse(split)).empty());
  split.test = rows({2, 2});
  record.data->test_size = 2;
  record.kernel_machines = {machine("any", {}, 1)};
  CHECK(constant_mse(split) == 0);
  CHECK(beaten_by_a_constant(record, 0).empty());
}
