#include "core/base/error.h"
#include "core/data/loading/target_leak.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

TEMPLATE_TEST_CASE("an input that is the target in another unit is named", "", float, double) {
  Dataset<TestType> train;
  train.inputs = random_matrix<TestType>(3000, 4, 1);
  train.targets = random_matrix<TestType>(3000, 2, 2);
  CHECK(target_leak(train).empty());
  train.inputs.col(2) = (train.targets.col(1).array() * TestType(-300) + TestType(1000)).matrix();
  CHECK(contains(target_leak(train),
                 "over the 3000 training rows, input column 2 (counted from 0) is the target itself"));
  train.feature_names = {"a", "b", "price_eur", "c"};
  CHECK(contains(target_leak(train), "\"price_eur\""));
  // Nearly is not the same.
  train.inputs.col(2) += TestType(1) * random_matrix<TestType>(3000, 1, 3).col(0);
  CHECK(target_leak(train).empty());
  train.inputs.col(2).setConstant(7);
  CHECK(target_leak(train).empty());
  Dataset<TestType> few = train.rows({0, 1});
  few.inputs.col(0) = few.targets.col(0);  // two rows always lie on a line
  CHECK(target_leak(few).empty());
}

TEST_CASE("a table whose inputs hold the class is loaded with a warning") {
  const TemporaryFolder folder;
  std::string text = "x,label,copy\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(i * 7 % 11) + (i % 3 == 0 ? ",yes,ja\n" : ",no,nein\n");
  DatasetOptions options = all_rows("csv");
  options.path = options.csv.test_path = write_bytes(folder / "t.csv", text);
  options.csv.target_column = "label";
  options.task = Task::classification;
  CHECK(dataset_size(options).notes.size() >= 1);  // `plan` tells what the columns became
  CHECK(contains(dataset_size(options).notes.front(), "target label, 1 numeric column; one-hot coded"));
  std::string notes;
  for (const std::string& note : load<double>(options).notes) notes += note + "\n";
  CHECK(contains(notes, "\"copy=ja\""));
  CHECK(contains(notes, "in the same or another coding"));
}

TEST_CASE("labels of three classes under other numbers are found, and a column that only helps is not") {
  Dataset<double> train;
  train.task = Task::classification;
  train.inputs = random_matrix<double>(60, 3, 1);
  train.targets = Matrix<double>::Zero(60, 3);
  for (Index i = 0; i < 60; ++i) {
    train.targets(i, i % 3) = 1;
    train.inputs(i, 1) = i % 3 == 0 ? 7 : i % 3 == 1 ? -2 : 3;  // neither in the order of the classes nor evenly spaced
    train.inputs(i, 2) = i % 6 < 4 ? 7 : -2;                    // values that classes share
  }
  CHECK(contains(target_leak(train), "input column 1 (counted from 0) is the target itself"));
  train.inputs(5, 1) = 7;  // one row that is of another class
  CHECK(target_leak(train).empty());
}
