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

KernelMachineResult machine(const std::string& label, std::optional<double> validation, std::optional<double> test) {
  KernelMachineResult result;
  result.label = label;
  const auto of = [](double mse) {
    Metrics metrics;
    metrics.mse = mse;
    return metrics;
  };
  if (validation) result.validation = of(*validation);
  if (test) result.test = of(*test);
  return result;
}

}  // namespace

TEST_CASE("a model that the mean of the training targets beats on the test rows is named") {
  Split<double> split;
  split.train = rows({0, 4});       // mean 2
  split.test = rows({1, 2, 6});     // mean squared deviation from 2: (1 + 0 + 16) / 3
  split.validation = rows({2, 4});  // (0 + 4) / 2
  Results<double> results;
  results.split = &split;
  results.kernels = {machine("good", 9, 5.6), machine("bad", 0.1, 5.7), machine("equal", 0.1, 17.0 / 3)};
  const std::vector<std::string> said = beaten_by_a_constant(results);
  REQUIRE(said.size() == 2);
  CHECK(contains(said[0], "bad: its mean squared error on the test rows, 5.7, is no smaller than the 5.667"));
  CHECK(contains(said[1], "equal: "));

  split.test = {};
  const std::vector<std::string> by_validation = beaten_by_a_constant(results);
  REQUIRE(by_validation.size() == 1);
  CHECK(
      contains(by_validation[0], "good: its mean squared error on the validation rows, 9, is no smaller than the 2 "));
  split.validation = {};
  CHECK(beaten_by_a_constant(results).empty());
  split.test = rows({2, 2});  // the constant is right: nothing can be said
  results.kernels = {machine("any", {}, 1)};
  CHECK(beaten_by_a_constant(results).empty());
}
