#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

std::string as_int64(const std::vector<std::int64_t>& values) {
  std::string text(values.size() * 8, '\0');
  std::memcpy(text.data(), values.data(), text.size());
  return text;
}

/// Four training rows and two test rows of d = 2, targets of either kind.
DatasetOptions arrays_in(const TemporaryFolder& folder, Task task = Task::regression) {
  DatasetOptions options = all_rows("arrays");
  options.task = task;
  options.arrays.train_inputs = write_matrix<double>(folder / "X.npy", 4, 2, {0.1, 2, 3, 4, 5, 6, 7, 8});
  options.arrays.test_inputs = write_matrix<double>(folder / "Xt.npy", 2, 2, {9, 10, 11, 12});
  if (task == Task::regression) {
    options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 2, {1, -1, 2, -2, 3, -3, 4, -4});
    options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 2, {5, -5, 6, -6});
  } else {
    options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "<i8", "(4,)", as_int64({0, 3, 1, 0}));
    options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "|u1", "(2,)", bytes({1, 0}));
  }
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("regression arrays come as they are", "", float, double) {
  const TemporaryFolder folder;
  const Split<TestType> split = load<TestType>(arrays_in(folder));
  CHECK(split.train.inputs(0, 0) == TestType(0.1));  // exact in float64
  CHECK(split.train.targets(2, 1) == TestType(-3));
  CHECK(split.test.inputs(1, 1) == TestType(12));
  CHECK(split.validation.empty());
  CHECK_FALSE(split.train.image_shape);
  CHECK(split.train.task == Task::regression);
}

TEST_CASE("one-dimensional regression targets are one column") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "<i8", "(4,)", as_int64({5, 6, 7, 8}));
  options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "|b1", "(2,)", bytes({1, 0}));
  const Split<double> split = load(options);
  CHECK(split.train.outputs() == 1);
  CHECK(split.train.targets(3, 0) == 8);
  CHECK(split.test.targets(0, 0) == 1);
}

TEMPLATE_TEST_CASE("integer labels become one-hot, classes 0 to the largest", "", float, double) {
  const TemporaryFolder folder;
  const DatasetOptions options = arrays_in(folder, Task::classification);
  const Split<TestType> split = load<TestType>(options);
  CHECK(split.train.class_names == std::vector<std::string>{"0", "1", "2", "3"});
  CHECK(split.train.targets(1, 3) == 1);
  CHECK(split.train.targets.sum() == 4);
  CHECK(split.test.targets(0, 1) == 1);
  const DatasetSize size = dataset_size(options);
  CHECK(size.train == 4);
  CHECK(size.test == 2);
  CHECK(size.dimension == 2);
  CHECK(size.outputs == 4);
}

// huggingface/transformers#27224: a mask's labels 0 and 255 are two classes, not 256.
TEST_CASE("labels from 0 with more gaps than values are codes, with fewer a warning names the empty classes") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  const auto load_labels = [&](const std::vector<std::int64_t>& labels) {
    options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", fmt::format("({}, 2)", labels.size()),
                                                  std::string(2 * labels.size(), '\3'));
    options.arrays.train_targets =
        write_npy_bytes(folder / "y.npy", "<i8", fmt::format("({},)", labels.size()), as_int64(labels));
    options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "<i8", "(2,)", as_int64({0, 0}));
    return load(options);
  };
  std::vector<std::int64_t> mask(600, 0);
  for (std::size_t i = 0; i < mask.size(); i += 2) mask[i] = 255;
  const Split<double> codes = load_labels(mask);
  CHECK(codes.train.class_names == std::vector<std::string>{"0", "255"});
  CHECK(contains(codes.notes.front(), "labels 0 to 255, of which only 2 occur: these are the classes"));
  const Split<double> gap = load_labels({0, 1, 3, 4, 1, 3});
  CHECK(gap.train.class_names == std::vector<std::string>{"0", "1", "2", "3", "4"});
  CHECK(contains(gap.notes.front(), "classes 0 to 4: 1 of them without a row (label 2)"));
  CHECK(load_labels({0, 1, 2, 1}).notes.front().find("without a row") == std::string::npos);
}

TEST_CASE("labels that do not start at 0 are the values that occur") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, {-1, 1, 1, -1});
  options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "<i8", "(2, 1)", as_int64({1, 7}));
  const Split<double> split = load(options);
  CHECK(split.train.class_names == std::vector<std::string>{"-1", "1", "7"});
  CHECK(split.test.targets(1, 2) == 1);
}

TEST_CASE("one-hot targets and a single 0/1 output are kept as they are") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 3, {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0});
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 3, {1, 0, 0, 0, 1, 0});
  CHECK(load(options).train.targets == read_npy<double>(options.arrays.train_targets));
  CHECK(load(options).train.outputs() == 3);

  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, {1, 0, 0, 1});
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 1, {0, 1});
  const Split<double> single = load(options);
  CHECK(single.train.targets == read_npy<double>(options.arrays.train_targets));
  CHECK(single.train.task == Task::classification);
}

TEST_CASE("image arrays are flattened and keep their shape") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  std::string values;
  for (int i = 0; i < 4 * 12; ++i) values += static_cast<char>(i);
  options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", "(4, 3, 2, 2)", values);
  options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", "(2, 3, 2, 2)", values.substr(0, 24));
  const Split<float> split = load<float>(options);
  CHECK(split.train.image_shape == ImageShape{3, 2, 2});
  CHECK(split.train.inputs(1, 5) == 17);  // row-major: channel, row, column
  options.arrays.image_shape = ImageShape{1, 4, 3};
  CHECK(load(options).train.image_shape == ImageShape{1, 4, 3});
}

TEST_CASE("validation arrays are used whole") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  options.draw.validation_fraction = 0.5;
  CHECK(load(options).validation.size() == 2);
  CHECK(load(options).train.size() == 2);
  options.arrays.validation_inputs = options.arrays.test_inputs;
  options.arrays.validation_targets = options.arrays.test_targets;
  CHECK(load(options).validation.inputs == load(options).test.inputs);
  CHECK(load(options).train.size() == 4);
}

TEST_CASE("arrays that do not fit are refused by name") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  const std::string train = options.arrays.train_inputs.string(), targets = options.arrays.train_targets.string(),
                    test = options.arrays.test_inputs.string();
  SECTION("missing file") {
    fs::remove(options.arrays.test_inputs);
    CHECK(contains(load_error(options), test));
  }
  SECTION("not given") {
    options.arrays.train_targets.clear();
    CHECK(contains(load_error(options), "`train_targets`"));
  }
  SECTION("d differs") {
    write_matrix<double>(test, 2, 3, {1, 2, 3, 4, 5, 6});
    CHECK(contains(load_error(options), test + " has d = 3 but " + train + " has d = 2"));
  }
  SECTION("n differs") {
    write_matrix<double>(train, 3, 2, {1, 2, 3, 4, 5, 6});
    CHECK(contains(load_error(options), train + " has 3 rows but " + targets + " has 4"));
  }
  SECTION("NaN") {
    write_matrix<double>(train, 4, 2, {1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN(), 7, 8});
    CHECK(contains(load_error(options), train + ": row 2, column 1 (counted from 0) is nan"));
  }
  SECTION("beyond float32") {
    write_matrix<double>(train, 4, 2, {1, 2, 3, 4, 5, 1e300, 7, 8});
    CHECK(contains(message_of<DataError>([&] { load<float>(options); }),
                   "row 2, column 1 (counted from 0): 1e+300 is too large for float32; use precision: float64"));
  }
  SECTION("image_shape does not fit") {
    options.arrays.image_shape = ImageShape{1, 28, 28};
    CHECK(contains(load_error(options), "`image_shape` [1, 28, 28] has 784 values but " + train + " has d = 2"));
  }
  SECTION("fractional labels") {
    write_matrix<double>(targets, 4, 1, {0, 1, 0.5, 1});
    write_matrix<double>(options.arrays.test_targets, 2, 1, {0, 1});
    CHECK(
        contains(load_error(options), targets + ": row 2 (counted from 0) is 0.5: class labels must be whole numbers"));
  }
  SECTION("not one-hot") {
    write_matrix<double>(targets, 4, 2, {0, 1, 1, 1, 0, 1, 1, 0});
    write_matrix<double>(options.arrays.test_targets, 2, 2, {0, 1, 1, 0});
    CHECK(contains(load_error(options), targets + ": row 1 (counted from 0) is not one-hot"));
  }
  SECTION("one class only") {
    write_npy_bytes(targets, "<i8", "(4,)", as_int64({2, 2, 2, 2}));
    CHECK(contains(load_error(options), "all 4 training rows are of one class (\"2\")"));
  }
  SECTION("a single row") {
    options.draw.train_size = 1;
    CHECK(contains(load_error(options), "n = 1 row"));
  }
  SECTION("no test arrays") {
    options.arrays.test_inputs.clear();
    options.arrays.test_targets.clear();
    CHECK(contains(load_error(options), "no test rows"));
  }
  SECTION("truncated") {
    write_bytes(train, read_bytes(train).substr(0, 150));
    CHECK(contains(load_error(options), train));
  }
}

TEST_CASE("labels of 64 bits stay apart") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  // As doubles all of these are 2^53.
  options.arrays.train_targets =
      write_npy_bytes(folder / "y.npy", "<i8", "(4,)",
                      as_int64({9007199254740993, 9007199254740992, 9007199254740993, -9007199254740993}));
  options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "<i8", "(2,)", as_int64({9007199254740992, 5}));
  const Split<float> split = load<float>(options);
  CHECK(split.train.class_names ==
        std::vector<std::string>{"-9007199254740993", "5", "9007199254740992", "9007199254740993"});
  CHECK(split.train.targets(0, 3) == 1);
  CHECK(split.train.targets(1, 2) == 1);
  CHECK(split.train.targets(3, 0) == 1);
  CHECK(split.test.targets(0, 2) == 1);

  const std::string large = as_int64({-1, -2, -1, -2});  // 2^64 - 1 and 2^64 - 2, unsigned
  options.arrays.train_targets = write_npy_bytes(folder / "y.npy", "<u8", "(4,)", large);
  options.arrays.test_targets = write_npy_bytes(folder / "yt.npy", "<u8", "(2,)", large.substr(0, 16));
  CHECK(load(options).train.class_names == std::vector<std::string>{"18446744073709551614", "18446744073709551615"});
}

TEST_CASE("labels that their type may have merged are refused") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder, Task::classification);
  options.arrays.train_targets = write_matrix<double>(folder / "y.npy", 4, 1, {0, 1e17, 1, 0});
  options.arrays.test_targets = write_matrix<double>(folder / "yt.npy", 2, 1, {0, 1});
  CHECK(contains(load_error(options), "row 1 (counted from 0) is 1e+17: floating-point numbers of this size"));
  options.arrays.train_targets = write_matrix<float>(folder / "y.npy", 4, 1, {0, 16777216, 1, 0});
  CHECK(contains(load_error(options), "row 1 (counted from 0) is 16777216"));
  options.arrays.train_targets = write_matrix<float>(folder / "y.npy", 4, 1, {0, 16777215, 1, 0});
  CHECK(load_error(options).empty());
}

// keras-team/keras#9696: the same number of values in another order of dimensions.
TEST_CASE("images whose dimensions come in another order are refused") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  const std::string values(4 * 8 * 8 * 3, '\1');
  const auto save = [&](const char* train, const char* test) {
    options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", train, values);
    options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", test, values.substr(0, values.size() / 2));
  };
  save("(4, 3, 8, 8)", "(2, 8, 8, 3)");
  CHECK(contains(load_error(options), "Xt.npy is n x 8 x 8 x 3 but "));
  save("(4, 3, 8, 8)", "(2, 192)");
  CHECK(load_error(options).empty());
  save("(4, 8, 8, 3)", "(2, 192)");
  CHECK(contains(load_error(options), "Xt.npy is n x 192 but "));
}

TEST_CASE("images with channels last are read as those with channels first") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  // Image i, channel c, row y, column x has the value 60 i + 20 c + 5 y + x: 4 rows of 5 columns.
  std::string values;
  for (int i = 0; i < 4; ++i)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        for (int c = 0; c < 3; ++c) values += static_cast<char>(60 * i + 20 * c + 5 * y + x);
  const auto save = [&](const char* train, const char* test) {
    options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", train, values);
    options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", test, values.substr(0, values.size() / 2));
  };
  const auto check_turned = [&] {
    const Split<float> split = load<float>(options);
    CHECK(split.train.image_shape == ImageShape{3, 4, 5});
    for (Index j = 0; j < 60; ++j) CHECK(split.train.inputs(2, j) == static_cast<float>(120 + j));
    CHECK(split.test.inputs(1, 59) == 119);
  };
  save("(4, 4, 5, 3)", "(2, 4, 5, 3)");
  options.arrays.image_shape = ImageShape{3, 4, 5};
  check_turned();
  CHECK(contains(load(options).notes.front(), "n x 4 x 5 x 3) are read as 3 x 4 x 5"));
  options.arrays.image_shape.reset();  // 4 rows or 4 channels?
  CHECK(
      contains(load_error(options), "X.npy is n x 4 x 5 x 3, whose first or last dimension may be the channels; say"));
  options.arrays.image_layout = ImageLayout::channels_last;
  check_turned();
  options.arrays.image_layout = ImageLayout::channels_first;
  CHECK(load(options).train.image_shape == ImageShape{4, 5, 3});
  CHECK(load(options).train.inputs(0, 1) == 20);  // as the file has it
  options.arrays.image_shape = ImageShape{3, 4, 5};
  CHECK(contains(load_error(options), "`image_shape` [3, 4, 5] is not that of"));

  // Flattened rows, whose order only the key can tell.
  save("(4, 60)", "(2, 60)");
  CHECK(load(options).train.inputs(0, 1) == 20);
  options.arrays.image_layout = ImageLayout::channels_last;
  check_turned();
  options.arrays.image_shape.reset();
  CHECK(contains(load_error(options), "say `image_shape` too"));
}

TEST_CASE("channels are last where only the last dimension can be channels") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  const auto shape_of = [&](const std::string& shape, std::size_t size) {
    options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "|u1", "(4, " + shape, std::string(4 * size, '\1'));
    options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|u1", "(2, " + shape, std::string(2 * size, '\1'));
    return load(options).train.image_shape;
  };
  CHECK(shape_of("8, 8, 3)", 192) == ImageShape{3, 8, 8});
  CHECK(shape_of("8, 6, 1)", 48) == ImageShape{1, 8, 6});
  CHECK(shape_of("8, 6, 4)", 192) == ImageShape{4, 8, 6});
  CHECK(shape_of("3, 8, 8)", 192) == ImageShape{3, 8, 8});
  CHECK(shape_of("16, 8, 8)", 1024) == ImageShape{16, 8, 8});
  CHECK(shape_of("8, 6)", 48) == ImageShape{1, 8, 6});
}

TEST_CASE("inputs without columns are refused") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  options.arrays.train_inputs = write_npy_bytes(folder / "X.npy", "<f8", "(4, 0)", "");
  options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "<f8", "(2, 0)", "");
  CHECK(contains(load_error(options), "the inputs have no columns (d = 0)"));
  CHECK(contains(message_of<DataError>([&] { dataset_size(options); }), "d = 0"));
}

TEST_CASE("64-bit inputs that double would round are refused") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  const auto ids = [&](long long largest) {
    options.arrays.train_inputs =
        write_npy_bytes(folder / "X.npy", "<i8", "(4, 2)", as_int64({1, 2, 3, 4, 5, 6, 7, largest}));
    return load_error(options);
  };
  CHECK(contains(ids(9007199254740994), "row 3, column 1 (counted from 0) is 9007199254740994, beyond 2^53"));
  CHECK(ids(9007199254740992).empty());
}

TEST_CASE("arrays of half precision, bytes and truth values come as they are") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  options.arrays.train_inputs =  // 1, -2, 65504, 2^-24, 0.5, 0, 1/3 in half precision, 3
      write_npy_bytes(
          folder / "X.npy", "<f2", "(4, 2)",
          bytes({0x00, 0x3C, 0x00, 0xC0, 0xFF, 0x7B, 0x01, 0x00, 0x00, 0x38, 0x00, 0x00, 0x55, 0x35, 0x00, 0x42}));
  options.arrays.test_inputs = write_npy_bytes(folder / "Xt.npy", "|b1", "(2, 2)", bytes({0, 1, 1, 0}));
  const Split<float> split = load<float>(options);
  Matrix<float> expected(4, 2);
  expected << 1, -2, 65504, 0x1p-24F, 0.5F, 0, 0.333251953125F, 3;
  CHECK(split.train.inputs == expected);
  CHECK(split.test.inputs(1, 0) == 1);
}

TEST_CASE("features of arrays are named by a list or by the lines of a file") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  CHECK(load(options).train.feature_names.empty());
  const std::vector<std::string> names = {"Größe", "Gewicht, kg"};
  options.arrays.feature_names = names;
  CHECK(load(options).train.feature_names == names);
  for (const char* text : {"Größe\nGewicht, kg\n", "\xEF\xBB\xBFGröße\r\nGewicht, kg"}) {
    options.arrays.feature_names_file = write_bytes(folder / "names.txt", text);
    CHECK(load(options).test.feature_names == names);
  }
}

TEST_CASE("names of features that do not fit are refused, with what is wrong") {
  const TemporaryFolder folder;
  DatasetOptions options = arrays_in(folder);
  const auto complaint = [&](std::vector<std::string> names) {
    options.arrays.feature_names = std::move(names);
    return message_of<DataError>([&] { load(options); });
  };
  CHECK(contains(complaint({"a"}), "1 names for d = 2"));
  CHECK(contains(complaint({"a", "b", "c"}), "3 names for d = 2"));
  CHECK(contains(complaint({"a", ""}), "name 2 is empty"));
  CHECK(contains(complaint({"a", "a"}), "names 1 and 2 are both \"a\""));
  CHECK(contains(complaint({"a", "\xff"}), "UTF-8"));
  options.arrays.image_shape = ImageShape{1, 1, 2};
  CHECK(contains(complaint({"a", "b"}), "images"));
  options.arrays.image_shape.reset();
  options.arrays.feature_names_file = write_bytes(folder / "names.txt", "a\n\n");
  CHECK(contains(complaint({}), (folder / "names.txt").string() + ": name 2 is empty"));
  options.arrays.feature_names_file = folder / "missing.txt";
  CHECK(contains(complaint({}), "missing.txt"));
}
