#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/data/value_range.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

constexpr Index kRows = 40, kColumns = 3;

struct Arrays {
  Matrix<double> inputs = RandomStream(1).normal_matrix<double>(kRows, kColumns);
  Matrix<double> targets = inputs.leftCols(1), test_inputs = inputs, test_targets = targets;
};

DatasetOptions saved(const TemporaryFolder& folder, const Arrays& arrays) {
  DatasetOptions options = all_rows("arrays");
  const auto save = [&](const char* name, const Matrix<double>& values) {
    write_npy<double>(folder / name, values);
    return folder / name;
  };
  options.arrays.train_inputs = save("x.npy", arrays.inputs);
  options.arrays.train_targets = save("y.npy", arrays.targets);
  options.arrays.test_inputs = save("z.npy", arrays.test_inputs);
  options.arrays.test_targets = save("w.npy", arrays.test_targets);
  return options;
}

template <class Scalar>
std::string complaint(const DatasetOptions& options) {
  return message_of<DataError>([&] { load<Scalar>(options, 3); });
}

}  // namespace

TEST_CASE("a value whose square is out of range is named with file, row and column") {
  const TemporaryFolder folder;
  Arrays arrays;
  arrays.inputs(17, 2) = -1e308;
  CHECK(contains(complaint<double>(saved(folder, arrays)),
                 (folder / "x.npy").string() +
                     ": row 17, column 2 (counted from 0): -1e+308 is so large that its square "
                     "is beyond float64; mend it, or use normalize: standardize"));
  arrays.inputs(17, 2) = 1e25;
  CHECK(contains(complaint<float>(saved(folder, arrays)),
                 "x.npy: row 17, column 2 (counted from 0): 1e+25 is so large that its square is beyond float32"));
  CHECK(complaint<double>(saved(folder, arrays)).empty());
  DatasetOptions options = saved(folder, arrays);
  options.normalize = Normalization::standardize;
  CHECK(complaint<float>(options).empty());
  arrays = {};
  arrays.test_inputs(5, 0) = 1e200;
  CHECK(contains(complaint<double>(saved(folder, arrays)), "z.npy: row 5, column 0 (counted from 0): 1e+200"));
}

TEST_CASE("the same of a table, whose rows are drawn") {
  const TemporaryFolder folder;
  DatasetOptions options = all_rows("csv");
  options.csv.target_column = "y";
  options.draw.test_fraction = 0.25;
  options.draw.validation_fraction = 0.25;
  for (const char* column : {"x", "y"}) {
    for (int odd = 1; odd <= 40; odd += 13) {
      std::string text = "x,u,y\n";
      for (int i = 1; i <= 40; ++i)
        text += fmt::format("{},{},{}\n", i == odd && *column == 'x' ? "1e308" : fmt::format("{}.5", i * i % 31), i % 7,
                            i == odd && *column == 'y' ? "1e308" : fmt::format("{}.25", i % 11));
      options.path = write_bytes(folder / "t.csv", text);
      const std::string message = complaint<double>(options);
      INFO(message);
      CHECK(contains(message, fmt::format("t.csv: row {} (line {}), column \"{}\": ", odd, odd + 1, column)));
      CHECK(contains(message, "1e+308"));
    }
  }
}

TEST_CASE("data in any unit are in range as long as they belong together") {
  const TemporaryFolder folder;
  for (const double unit : {1e-200, 1e-30, 1e30, 1e200}) {
    Arrays arrays;
    arrays.inputs *= unit;
    arrays.test_inputs *= unit;
    CHECK(complaint<double>(saved(folder, arrays)).empty());
    if (unit == 1e30 || unit == 1e-30) CHECK(complaint<float>(saved(folder, arrays)).empty());
    arrays.inputs(3, 1) = 1e160 * unit;
    const std::string message = complaint<double>(saved(folder, arrays));
    if (unit == 1e-200)
      CHECK(contains(message, "x.npy: row 3, column 1 (counted from 0): 1e-40 is so large beside the others that its"));
  }
}

TEST_CASE("targets must leave room for squared errors") {
  const TemporaryFolder folder;
  Arrays arrays;
  arrays.targets *= 1e30;
  arrays.test_targets *= 1e30;
  CHECK(complaint<float>(saved(folder, arrays)).empty());
  arrays.targets(9, 0) = 1e160;
  CHECK(
      contains(complaint<double>(saved(folder, arrays)), "y.npy: row 9, column 0 (counted from 0): the target 1e+160"));
  arrays = {};
  arrays.targets *= 1e-170;
  CHECK(contains(complaint<double>(saved(folder, arrays)), "training targets are so small (up to 2"));
}
