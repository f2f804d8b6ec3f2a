#include <cmath>
#include <limits>

#include "core/record/fit_quality.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// A run of one fixed kernel with these test metrics beside those of the constant.
RunRecord run(const Metrics& model, const Metrics& constant, Index rows) {
  RunRecord record;
  record.data.emplace();
  record.data->test_size = rows;
  record.data->constant = constant;
  KernelMachineRecord machine;
  machine.label = "m";
  machine.metrics.test = model;
  record.kernel_machines = {machine};
  return record;
}

Metrics regression(double mse, double r2) { return {std::nullopt, mse, r2}; }
Metrics classifier(double accuracy) { return {accuracy, 0.1, 0.1}; }

}  // namespace

TEST_CASE("a regression is poor if its R² is below 0, or the training targets' mean errs less") {
  const Metrics constant = regression(4, -0.25);
  const auto said = [&](const Metrics& model) { return poor_fits(run(model, constant, 9)); };
  CHECK(said(regression(3.1, 0.03)).empty());
  REQUIRE(said(regression(3.9, -0.2)).size() == 1);
  CHECK(contains(said(regression(3.9, -0.2)).front(), "m: its R² on the test rows, -0.2, is below 0"));
  REQUIRE(said(regression(80, -19)).size() == 1);
  CHECK(
      contains(said(regression(80, -19)).front(),
               "m: its mean squared error on the test rows, 80, is no smaller than the 4 of the training targets' mean "
               "(R² -19): it has learned nothing that carries over"));
  const double undefined = std::numeric_limits<double>::quiet_NaN();  // all test targets alike
  CHECK(poor_fits(run(regression(80, undefined), regression(4, undefined), 9)).size() == 1);
  CHECK(poor_fits(run(regression(3, undefined), regression(4, undefined), 9)).empty());
  CHECK(poor_fits(run(regression(3, undefined), regression(0, undefined), 9)).empty());  // the constant is right
}

TEST_CASE("of several standardised outputs the large unit neither hides nor makes a poor fit") {
  const auto outputs = [](double mse, double standardized, std::vector<double> r2) {
    Metrics m = regression(mse, 0.5 * (r2[0] + r2[1]));
    m.standardized_mse = standardized;
    m.r2_by_output = std::move(r2);
    return m;
  };
  const Metrics constant = outputs(1e10, 1, {0, 0});
  const auto said = [&](const Metrics& model) { return poor_fits(run(model, constant, 9)); };
  CHECK(said(outputs(2e10, 0.6, {0.9, 0.1})).empty());
  const std::vector<std::string> both = said(outputs(1e9, 1.2, {0.9, 0.1}));
  REQUIRE(both.size() == 1);
  CHECK(contains(both.front(), "on the test rows, 1.2 (of standardised outputs), is no smaller than the 1 of the"));
  const std::vector<std::string> one = said(outputs(1e9, 0.6, {0.9, -0.1}));
  REQUIRE(one.size() == 1);
  CHECK(one.front() == "m: of its 2 outputs, 1 (counted from 0) has R² below 0 on the test rows");
}

TEST_CASE("a classifier is poor unless it is two standard errors above the most frequent class") {
  // p = 0.6 of 600 rows: one standard error is sqrt(0.24 / 600) = 0.02.
  const auto poor = [](double accuracy) { return !poor_fits(run(classifier(accuracy), classifier(0.6), 600)).empty(); };
  CHECK(poor(0.1));
  CHECK(poor(0.639));
  CHECK_FALSE(poor(0.641));
  const std::vector<std::string> said = poor_fits(run(classifier(0.639), classifier(0.6), 600));
  CHECK(contains(said.front(),
                 "m: its accuracy on the 600 test rows, 63.90 %, is not above the 60.00 % of the most "
                 "frequent class by more than two standard errors of 2.00 %"));
  CHECK(poor_fits(run(classifier(1), classifier(1), 600)).empty());  // all rows held out are of one class
}

TEST_CASE("without test rows the validation rows decide, without either nothing is said") {
  RunRecord record = run(regression(1, 0.5), regression(4, 0), 0);
  record.data->validation_size = 5;
  record.kernel_machines.front().metrics.validation = regression(5, -0.3);
  REQUIRE(poor_fits(record).size() == 1);
  CHECK(contains(poor_fits(record).front(), "on the validation rows, 5,"));
  record.kernel_machines.front().metrics.validation.reset();
  CHECK(poor_fits(record).empty());
}
