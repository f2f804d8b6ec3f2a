#include "experiments/results/constant_baseline.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Dataset<double> rows(std::initializer_list<double> targets) {
  Dataset<double> data;
  data.targets = Eigen::Map<const Vector<double>>(targets.begin(), static_cast<Index>(targets.size()));
  data.inputs = data.targets;
  return data;
}

/// One-hot rows of these classes.
Dataset<double> classes(std::initializer_list<Index> labels) {
  Dataset<double> data;
  data.task = Task::classification;
  data.targets = Matrix<double>::Zero(static_cast<Index>(labels.size()), 3);
  data.inputs = data.targets;
  Index i = 0;
  for (const Index label : labels) data.targets(i++, label) = 1;
  return data;
}

}  // namespace

TEST_CASE("the constant is the mean of the training targets, judged on the test rows") {
  Split<double> split;
  split.train = rows({0, 4});       // mean 2
  split.test = rows({1, 2, 6});     // mean squared deviation from 2: (1 + 0 + 16) / 3; from their mean 3: 14 / 3
  split.validation = rows({2, 4});  // (0 + 4) / 2
  CHECK(constant_prediction(split)->mse == Approx(17.0 / 3));
  CHECK(constant_prediction(split)->r2 == Approx(1 - 17.0 / 14));
  split.test = {};
  CHECK(constant_prediction(split)->mse == Approx(2));
  split.validation = {};
  CHECK_FALSE(constant_prediction(split));
}

TEST_CASE("the constant's error is in the targets' own unit") {
  Split<double> split;
  split.train = rows({-1, 1});
  split.test = rows({3});
  split.train.target_scaling =
      split.test.target_scaling = {Vector<double>::Constant(1, 545), Vector<double>::Constant(1, 100)};
  CHECK(constant_prediction(split)->mse == Approx(90000));
}

TEST_CASE("of classes the constant is the one that is most frequent among the training rows") {
  Split<double> split;
  split.train = classes({2, 1, 2, 0});
  split.test = classes({2, 0, 1, 1, 1});
  CHECK(*constant_prediction(split)->accuracy == Approx(1.0 / 5));
}
