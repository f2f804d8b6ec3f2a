#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/metrics.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"
#include "tests/support/predictors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

Matrix<double> column(std::initializer_list<double> values) {
  Matrix<double> m(Index(values.size()), 1);
  Index i = 0;
  for (const double v : values) m(i++, 0) = v;
  return m;
}

}  // namespace

TEST_CASE("Regression metrics match hand-computed values") {
  const Metrics m = evaluate(column({1, 2, 3, 5}), column({1, 2, 4, 3}), Task::regression);
  CHECK(m.mse == Approx(5.0 / 4));
  CHECK(m.r2 == Approx(1 - 5.0 / 5.0).margin(1e-15));  // mean 2.5: deviations 2.25 + .25 + 2.25 + .25
  CHECK(!m.accuracy);
}

TEST_CASE("R2 is pooled over outputs, each around its own mean") {
  Matrix<double> targets(3, 2), predictions(3, 2);
  targets << 0, 100, 1, 101, 2, 102;
  predictions << 0, 100, 1, 101, 2, 100;
  const Metrics m = evaluate(predictions, targets, Task::regression);
  CHECK(m.mse == Approx(4.0 / 6));
  CHECK(m.r2 == Approx(1 - 4.0 / (2 + 2)).margin(1e-15));
}

TEST_CASE("Predicting the mean has R2 zero, constant targets have none") {
  const Matrix<double> targets = random_matrix(50, 1);
  CHECK(evaluate<double>(Matrix<double>::Constant(50, 1, targets.mean()), targets, Task::regression).r2 ==
        Approx(0).margin(1e-14));
  const Matrix<double> constant = Matrix<double>::Constant(7, 1, 0.1);
  CHECK(std::isnan(evaluate(column({1, 2, 3, 4, 5, 6, 7}), constant, Task::regression).r2));
  CHECK(evaluate(constant, constant, Task::regression).mse == 0);
}

TEST_CASE("Accuracy is the share of argmax hits, ties to the first") {
  Matrix<double> targets(4, 3), predictions(4, 3);
  targets << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0;
  predictions << 0.1, 0.0, -0.3, 0.9, 0.2, 0.1, 0, 0, 7, 0.5, 0.5, 0;
  CHECK(*evaluate(predictions, targets, Task::classification).accuracy == 0.75);
}

TEST_CASE("With one output the class is whether the prediction exceeds one half") {
  // Exactly 1/2 is class 0, and values outside [0, 1] shift no threshold.
  const Metrics m = evaluate(column({0.5, 0.51, -3, 0.4, 9}), column({0, 1, 0, 1, 1}), Task::classification);
  CHECK(*m.accuracy == Approx(0.8));
}

TEST_CASE("Float32 errors accumulate in double") {
  const Index n = 2000000;
  const Metrics m = evaluate<float>(Matrix<float>::Constant(n, 1, 0.1f), Matrix<float>::Zero(n, 1), Task::regression);
  CHECK(m.mse == Approx(double(0.1f) * double(0.1f)).epsilon(1e-10));
}

TEST_CASE("Metrics refuse shapes that differ, no samples and values that are not finite") {
  CHECK_THROWS_AS(evaluate(column({1, 2}), column({1, 2, 3}), Task::regression), DataError);
  CHECK_THROWS_AS(evaluate<double>(Matrix<double>(0, 1), Matrix<double>(0, 1), Task::regression), DataError);
  CHECK_THROWS_AS(evaluate(column({1, std::nan("")}), column({1, 2}), Task::regression), NumericalError);
  CHECK_THROWS_AS(evaluate(column({1, std::numeric_limits<double>::infinity()}), column({1, 2}), Task::regression),
                  NumericalError);
}

TEST_CASE("Of several outputs that were scaled each counts the same, whatever its unit") {
  Dataset<double> data;
  data.targets = Matrix<double>(4, 3);
  data.targets << 1, -1, 2, -1, 1, 2, 1, 1, 2, -1, -1, 2;  // the last one is constant here
  data.inputs = data.targets;
  data.target_scaling = {Vector<double>::Zero(3), Vector<double>(3)};
  data.target_scaling.sd << 1e-3, 1e5, 1;
  const auto off_by = [&](double first, double second) {
    Matrix<double> predictions = data.targets;
    predictions.col(0).array() += first;
    predictions.col(1).array() += second;
    return evaluate(predictions, data);
  };
  const Metrics m = off_by(0.5, 0.1);
  CHECK(m.mse == Approx((0.25e-6 + 0.01e10) / 3));
  REQUIRE(m.standardized_mse);
  CHECK(*m.standardized_mse == Approx((0.25 + 0.01) / 3));
  REQUIRE(m.r2_by_output.size() == 3);
  CHECK(m.r2_by_output[0] == Approx(1 - 0.25));  // 4 * 0.25 / 4
  CHECK(m.r2_by_output[1] == Approx(1 - 0.01));
  CHECK(std::isnan(m.r2_by_output[2]));
  CHECK(m.r2 == Approx((0.75 + 0.99) / 2));
  CHECK(at_least_as_good(off_by(0.1, 0.2), m));  // although its pooled error is four times as large
  CHECK_FALSE(at_least_as_good(m, off_by(0.1, 0.2)));
  CHECK(data.target_scaling.comparable_squared_norm(Eigen::RowVector3d(0.5, 0.1, 0)) == Approx(0.26));
}

TEST_CASE("One output is measured and chosen in its own unit, unscaled outputs are pooled and listed") {
  Dataset<double> data;
  data.targets = column({-1, 1});
  data.inputs = data.targets;
  data.target_scaling = {Vector<double>::Constant(1, 7), Vector<double>::Constant(1, 10)};
  const Metrics one = evaluate(column({-1, 0.5}), data);
  CHECK(one.mse == Approx(100 * 0.125));
  CHECK_FALSE(one.standardized_mse);
  CHECK(one.r2_by_output.empty());
  CHECK(data.target_scaling.comparable_squared_norm(Eigen::Matrix<double, 1, 1>(0.5)) == Approx(25));
  Matrix<double> targets(3, 2), predictions(3, 2);
  targets << 0, 100, 1, 101, 2, 102;
  predictions << 0, 100, 1, 101, 2, 100;
  const Metrics pooled = evaluate(predictions, targets, Task::regression);
  CHECK_FALSE(pooled.standardized_mse);
  CHECK(pooled.r2_by_output == std::vector<double>{1, 1 - 4.0 / 2});
  CHECK(evaluate(predictions, targets, Task::classification).r2_by_output.empty());
}

TEST_CASE("Errors on scaled targets are measured in the unit they came in") {
  // Two outputs in units of their own: what is right is what the plain formula gives before any scaling.
  const Matrix<double> targets = random_matrix(40, 2), predictions = targets + 0.3 * random_matrix(40, 2, 2);
  Dataset<double> data;
  data.target_scaling = {Vector<double>(2), Vector<double>(2)};
  data.target_scaling.mean << 545, -3;
  data.target_scaling.sd << 118, 0.01;
  const auto in_unit = [](Matrix<double> m) {
    m.col(0) = m.col(0) * 118 + Vector<double>::Constant(40, 545);
    m.col(1) = m.col(1) * 0.01 - Vector<double>::Constant(40, 3);
    return m;
  };
  data.targets = targets;
  data.inputs = targets;
  const Metrics found = evaluate(predictions, data);
  const Metrics expected = evaluate(in_unit(predictions), in_unit(targets), Task::regression);
  CHECK(found.mse == Approx(expected.mse).epsilon(1e-10));
  CHECK(found.r2_by_output[0] == Approx(expected.r2_by_output[0]).epsilon(1e-10));
  CHECK(found.r2_by_output[1] == Approx(expected.r2_by_output[1]).epsilon(1e-10));
  CHECK(found.mse > 100);
  CHECK((data.target_scaling.to_original(predictions) - in_unit(predictions)).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("A model is evaluated on a data set") {
  Dataset<double> data;
  data.inputs = random_matrix(9, 3);
  const Matrix<double> a = random_matrix(2, 3, 2);
  data.targets = data.inputs * a.transpose();
  const Metrics exact = evaluate(LinearPredictor<double>(a), data);
  CHECK(exact.mse < 1e-28);
  CHECK(exact.r2 == Approx(1));
  CHECK(evaluate(LinearPredictor<double>(a, 0.5), data).mse == Approx(0.25));
}

TEST_CASE("Validation results: accuracy, then error, then the later") {
  const auto result = [](double accuracy, double mse) {
    Metrics m;
    m.accuracy = accuracy;
    m.mse = mse;
    return m;
  };
  CHECK(at_least_as_good(result(0.9, 1), result(0.8, 0.1)));
  CHECK(!at_least_as_good(result(0.8, 0.1), result(0.9, 1)));
  CHECK(at_least_as_good(result(0.9, 0.1), result(0.9, 0.2)));
  CHECK(!at_least_as_good(result(0.9, 0.2), result(0.9, 0.1)));
  CHECK(at_least_as_good(result(0.9, 0.1), result(0.9, 0.1)));
  Metrics low, high;
  low.mse = 1;
  high.mse = 2;
  CHECK(at_least_as_good(low, high));
  CHECK(!at_least_as_good(high, low));
  CHECK(at_least_as_good(low, low));
}

TEST_CASE("Cross-entropy is the mean of -log softmax at the class, also of logits whose exponentials overflow") {
  Matrix<double> logits(4, 3), classes = Matrix<double>::Zero(4, 3);
  logits << 0, std::log(3.0), 0,  // shares 1/5, 3/5, 1/5
      7, 7, 7,                    // 1/3 each
      1e4, 0, -1e4,               // 1, 0, 0
      -800, 0, 1;
  classes(0, 1) = classes(1, 2) = classes(2, 1) = classes(3, 0) = 1;
  const double last = 801 + std::log1p(std::exp(-1.0));
  const Metrics m = evaluate(logits, classes, Task::classification, {}, Loss::cross_entropy);
  REQUIRE(m.cross_entropy);
  CHECK(*m.cross_entropy == Approx((std::log(5.0 / 3) + std::log(3.0) + 1e4 + last) / 4).epsilon(1e-14));
  CHECK(m.loss() == *m.cross_entropy);
  CHECK(*m.accuracy == 0.25);
  CHECK(std::isnan(m.mse));
  CHECK(std::isnan(m.r2));
  CHECK_FALSE(evaluate(logits, classes, Task::classification).cross_entropy);
}

TEST_CASE("Cross-entropy of what is no set of one-hot classes is refused by the name of the option") {
  const auto refused = [](const Matrix<double>& targets, Task task, const Matrix<double>& codes) {
    return message_of<ConfigError>([&] { evaluate(targets, targets, task, codes, Loss::cross_entropy); });
  };
  const Matrix<double> two = Matrix<double>::Identity(2, 2);
  CHECK(contains(refused(two, Task::regression, {}), "`loss`: cross_entropy is for classification"));
  CHECK(contains(refused(two, Task::classification, two), "coded by prevalence"));
  CHECK(contains(refused(column({0, 1}), Task::classification, {}), "a target column for each class"));
}

TEST_CASE("Results on the validation set are judged by accuracy, then by the loss") {
  const double nan = std::nan("");
  const Metrics best{0.5, nan, nan, 1.0};
  CHECK(at_least_as_good({0.5, nan, nan, 0.9}, best));
  CHECK(at_least_as_good({0.5, nan, nan, 1.0}, best));
  CHECK_FALSE(at_least_as_good({0.5, nan, nan, 1.1}, best));
  CHECK(at_least_as_good({0.6, nan, nan, 9.0}, best));
  CHECK_FALSE(at_least_as_good({0.4, nan, nan, 0.1}, best));
}
