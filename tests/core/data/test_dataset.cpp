#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/dataset.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// Two training and two test rows in two classes.
template <class Scalar>
Split<Scalar> small_split() {
  Split<Scalar> split;
  for (Dataset<Scalar>* part : {&split.train, &split.test}) {
    part->inputs.resize(2, 4);
    part->inputs << 1, 2, 3, 4, 5, 6, 7, 8;
    part->targets = Matrix<Scalar>::Identity(2, 2);
    part->task = Task::classification;
    part->class_names = {"no", "yes"};
    part->image_shape = ImageShape{1, 2, 2};
  }
  return split;
}

template <class Change>
std::string complaint(Change change) {
  Split<double> split = small_split<double>();
  change(split);
  return message_of<DataError>([&] { validate(split); });
}

}  // namespace

TEMPLATE_TEST_CASE("rows are copied in the order asked for", "", float, double) {
  const Dataset<TestType> data = small_split<TestType>().train;
  const Dataset<TestType> picked = data.rows({1, 0, 1});
  REQUIRE(picked.size() == 3);
  CHECK(picked.inputs.row(0) == data.inputs.row(1));
  CHECK(picked.inputs.row(1) == data.inputs.row(0));
  CHECK(picked.targets.row(2) == data.targets.row(1));
  CHECK(picked.class_names == data.class_names);
  CHECK(picked.image_shape == data.image_shape);
  CHECK(picked.source_rows.empty());
  Dataset<TestType> known = data;
  known.source_rows = {7, 3};
  CHECK(known.rows({1, 0, 1}).source_rows == std::vector<Index>{3, 7, 3});
}

TEST_CASE("a sound split passes, with or without validation rows") {
  Split<double> split = small_split<double>();
  CHECK_NOTHROW(validate(split));
  split.validation = split.test;
  CHECK_NOTHROW(validate(split));
}

TEST_CASE("validate says what is wrong and where") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(complaint([&](auto& s) { s.train.inputs(1, 2) = nan; }), "train inputs: row 1, column 2"));
  CHECK(contains(complaint([&](auto& s) { s.test.targets(0, 1) = 1 / 0.0; }), "test targets: row 0, column 1"));
  CHECK(contains(complaint([](auto& s) { s.train = s.train.rows({0}); }), "n = 1 row"));
  CHECK(contains(complaint([](auto& s) { s.test.source_rows = {4}; }), "test: 2 rows of inputs but 1 of them"));
  CHECK(contains(complaint([](auto& s) {
                   s.train = s.train.rows({1, 1, 1});
                 }),
                 "all 3 training rows are of one class (\"yes\")"));
  CHECK(contains(complaint([](auto& s) { s.test.targets(1, 0) = 1; }), "test targets: row 1"));
  CHECK(contains(complaint([](auto& s) { s.test.targets(1, 1) = 0.5; }), "not one-hot"));
  CHECK(contains(complaint([](auto& s) { s.test.inputs = s.test.inputs.leftCols(3).eval(); }), "test has d = 3"));
  CHECK(contains(complaint([](auto& s) {
                   s.train.image_shape = ImageShape{3, 2, 2};
                 }),
                 "image_shape [3, 2, 2] has 12 values but the inputs have d = 4"));
  CHECK(contains(complaint([](auto& s) { s.test.targets = s.test.targets.topRows(1).eval(); }),
                 "2 rows of inputs but 1 of targets"));
}

TEST_CASE("a single 0/1 output is a classification of two classes") {
  Split<double> split = small_split<double>();
  for (Dataset<double>* part : {&split.train, &split.test}) {
    part->targets = part->targets.leftCols(1).eval();
    part->class_names.clear();
  }
  CHECK_NOTHROW(validate(split));
  split.train.targets.setZero();
  CHECK(contains(message_of<DataError>([&] { validate(split); }), "one class"));
  split.train.targets.setOnes();
  CHECK(contains(message_of<DataError>([&] { validate(split); }), "one class"));
}
