#include <fmt/format.h>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

/// A table of so many rows, whose labels are name(row).
template <class Name>
DatasetOptions labelled(const TemporaryFolder& folder, int rows, const Name& name) {
  std::string text = "x,label\n";
  for (int i = 0; i < rows; ++i) text += fmt::format("{},{}\n", i * 7 % 5, name(i));
  DatasetOptions options = all_rows("csv");
  options.path = write_bytes(folder / "t.csv", text);
  options.csv.target_column = "label";
  options.task = Task::classification;
  return options;
}

}  // namespace

TEST_CASE("numbers to predict are no class labels") {
  const TemporaryFolder folder;
  const auto prices = labelled(folder, 200, [](int i) { return fmt::format("{}", 100 + i); });
  CHECK(contains(load_error(prices), "set `task`: regression"));  // all rows of the table are looked at first
  DatasetOptions few = labelled(folder, 200, [](int i) { return fmt::format("{}", 100 + i / 4); });
  CHECK(load_error(few).empty());
  few.draw.train_size = 40;
  CHECK(contains(load_error(few), "t.csv, column \"label\": "));
  CHECK(contains(load_error(few), "in 40 training rows: are these numbers to predict? Then say `task`: regression"));
  CHECK(contains(message_of<DataError>([&] { dataset_size(few); }), "`task`: regression"));  // `plan`, too
  // Half as many classes as rows can still be learnt.
  CHECK(load_error(labelled(folder, 200, [](int i) { return fmt::format("c{}", i % 20); })).empty());
  // Fractions are measured, whatever their number...
  const auto measured = labelled(folder, 600, [](int i) { return fmt::format("{}", (i % 30) * 0.25); });
  CHECK(contains(load_error(measured), "some of them fractions: are these numbers to predict?"));
  // ... but for a few, such as sizes and marks.
  CHECK(load_error(labelled(folder, 200, [](int i) { return fmt::format("{}", 1 + (i % 5) * 0.5); })).empty());
  CHECK(load_error(labelled(folder, 200, [](int i) { return i % 3 ? "two" : "1.5"; })).empty());
}

TEST_CASE("arrays: the drawn training rows decide whether labels are classes") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("arrays");
  options.task = Task::classification;
  Matrix<double> x = Matrix<double>::Random(100, 2), labels(100, 1);
  for (Index i = 0; i < 100; ++i) labels(i, 0) = static_cast<double>(i % 25);
  for (const char* name : {"x.npy", "t.npy"}) write_npy<double>(folder / name, x);
  for (const char* name : {"y.npy", "ty.npy"}) write_npy<double>(folder / name, labels);
  options.arrays.train_inputs = folder / "x.npy";
  options.arrays.train_targets = folder / "y.npy";
  options.arrays.test_inputs = folder / "t.npy";
  options.arrays.test_targets = folder / "ty.npy";
  CHECK(load_error(options).empty());
  options.draw.train_size = 20;
  CHECK(contains(load_error(options), "different class labels"));
  options.draw.classes = {"0", "1", "2"};
  options.draw.train_size = 4;
  CHECK(load_error(options).empty());
}
