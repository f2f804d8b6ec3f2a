#include <algorithm>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/data/constant_data.h"
#include "core/data/metrics.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

template <class Scalar>
Dataset<Scalar> part(const Matrix<Scalar>& targets, Task task = Task::regression) {
  Dataset<Scalar> data;
  data.inputs = RandomStream(2).normal_matrix<Scalar>(targets.rows(), 2);
  data.targets = targets;
  data.task = task;
  return data;
}

template <class Scalar>
Split<Scalar> regression(const Matrix<Scalar>& train, const Matrix<Scalar>& test) {
  Split<Scalar> split;
  split.train = part<Scalar>(train);
  split.test = part<Scalar>(test);
  return split;
}

template <class Scalar>
Matrix<Scalar> column(std::initializer_list<Scalar> values) {
  Matrix<Scalar> result(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

template <class Scalar>
std::string complaint(const Matrix<Scalar>& train) {
  Split<Scalar> split = regression<Scalar>(train, train);
  return message_of<DataError>([&] { judge_variation(split); });
}

template <class Scalar>
std::vector<std::string> notes(Split<Scalar> split) {
  judge_variation(split);
  return split.notes;
}

}  // namespace

TEMPLATE_TEST_CASE("training targets that are all the same are refused", "", float, double) {
  using S = TestType;
  CHECK(
      contains(complaint<S>(column<S>({2.5, 2.5, 2.5})), "all 3 training targets are 2.5: there is nothing to learn"));
  CHECK(contains(complaint<S>(column<S>({-S(0), 0, 0})), "all 3 training targets are 0:"));
  CHECK(contains(complaint<S>(column<S>({S(0.3), S(0.1) + S(0.2), S(0.3)})), "are 0.3: there is nothing to learn"));
  CHECK(contains(complaint<S>(Matrix<S>::Ones(4, 2)), "all 4 training targets are 1, 1:"));
  CHECK(complaint<S>(column<S>({0, 0, S(1e-6)})).empty());
  CHECK(complaint<S>(column<S>({1, 1, S(1) + S(1e-5)})).empty());
}

TEST_CASE("training inputs that are all the same are said") {
  Split<double> split = regression<double>(column<double>({1, 2, 3}), column<double>({1, 2}));
  split.train.inputs.rowwise() = split.train.inputs.row(1).eval();
  CHECK(
      notes(split).at(0) ==
      "the inputs of all 3 training rows are the same to within rounding: there is next to nothing to learn from them");
  split.train.inputs(2, 1) += 1e-3;
  CHECK(notes(split).empty());
}

TEST_CASE("columns of targets that are constant are said") {
  Matrix<double> targets = RandomStream(3).normal_matrix<double>(6, 3);
  targets.col(1).setConstant(7);
  const std::vector<std::string> messages = notes(regression<double>(targets, targets));
  CHECK(messages ==
        std::vector<std::string>{"1 of 3 target columns are constant over the training rows: 1 (counted from "
                                 "0)"});
  CHECK(notes(regression<double>(RandomStream(3).normal_matrix<double>(6, 3), targets)).empty());
}

TEST_CASE("where R² is not defined on a part it is said, and only there") {
  const Matrix<double> train = column<double>({1, 2, 3});
  for (const Matrix<double>& test : {column<double>({4, 4}), column<double>({0, 0, 0}), column<double>({5})}) {
    const std::vector<std::string> messages = notes(regression<double>(train, test));
    REQUIRE(messages.size() == 1);
    CHECK(contains(messages.front(), test.size() == 1 ? "there is only one test row: R²" : " test targets are "));
    CHECK(contains(messages.front(), "R² is not defined on "));
    CHECK(std::isnan(evaluate<double>(Matrix<double>::Ones(test.rows(), 1), test, Task::regression).r2));
  }
  CHECK(notes(regression<double>(train, column<double>({4, 5}))).empty());
  Split<double> split = regression<double>(train, train);
  split.validation = part<double>(column<double>({2, 2}));
  CHECK(contains(notes(split).at(0), "all 2 validation targets are 2"));
}

TEST_CASE("classes that no training row is of are named") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("arrays");
  options.task = Task::classification;
  options.arrays.train_inputs = write_matrix<double>(folder / "x.npy", 4, 1, {1, 2, 3, 4});
  options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "|u1", "(4,)", bytes({0, 1, 0, 1}));
  options.arrays.test_inputs = options.arrays.train_inputs;
  options.arrays.test_targets = write_npy_bytes(folder / "z.npy", "|u1", "(4,)", bytes({0, 1, 2, 1}));
  CHECK(contains(load(options).notes.back(), "no training row is of class \"2\", but test rows are"));
  options.arrays.test_targets = options.arrays.train_targets;
  CHECK_FALSE(contains(load(options).notes.back(), "no training row"));
}

TEST_CASE("a test set of one class is said by its name") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("csv");
  options.task = Task::classification;
  options.csv.target_column = "kind";
  options.path = write_bytes(folder / "t.csv", "x,kind\n1,cat\n2,dog\n3,cat\n4,dog\n");
  options.csv.test_path = write_bytes(folder / "u.csv", "x,kind\n1,dog\n2,dog\n");
  CHECK(contains(load(options).notes.back(), "all 2 test targets are \"dog\": R² is not defined on them"));
  options.csv.test_path = options.path;
  CHECK_FALSE(contains(load(options).notes.back(), "R²"));
}
