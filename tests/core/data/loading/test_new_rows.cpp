#include <fmt/format.h>

#include "core/base/error.h"
#include "core/data/loading/new_rows.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/matrices.h"

using namespace ansatz;

namespace {

constexpr Normalization kAll[] = {Normalization::none, Normalization::unit_norm, Normalization::standardize,
                                  Normalization::min_max};

/// Training rows, and the same rows after them as test rows, with columns of numbers and of text and with gaps.
struct CsvFiles {
  TemporaryFolder folder;
  std::filesystem::path train =
      write_bytes(folder / "train.csv", "age,color,code,y\n31,red,1,1\n,blue,2,2\n58,red,01,3\n40,NA,1,4\n");
  std::filesystem::path test = write_bytes(folder / "test.csv", "age,color,code,y\n47.25,blue,2,1\n?,red,01,2\n");

  DatasetOptions options(Normalization normalize, MissingValues missing) const {
    DatasetOptions options = all_rows("csv");
    options.path = train;
    options.csv.test_path = test;
    options.csv.target_column = "y";
    options.csv.categorical = {"code"};
    options.csv.missing = missing;
    options.normalize = normalize;
    return options;
  }
};

template <class Scalar>
Matrix<Scalar> asked(const std::filesystem::path& path, const Split<Scalar>& split) {
  return read_new_rows<Scalar>(path, split.transform, split.train.dimension(), split.train.image_shape);
}

template <class Scalar>
std::string refusal(const std::filesystem::path& path, const Split<Scalar>& split) {
  return message_of<DataError>([&] { asked(path, split); });
}

}  // namespace

TEMPLATE_TEST_CASE("new rows of a table become what the test rows became, bit by bit", "", float, double) {
  const CsvFiles files;
  // Without the target, in another order, with a column that is not used.
  const auto other = write_bytes(files.folder / "new.csv", "id,code,age,color\n7,2,47.25,blue\n8,01,?,red\n");
  for (const Normalization normalize : kAll) {
    const Split<TestType> split = load<TestType>(files.options(normalize, MissingValues::mean));
    REQUIRE(split.test.inputs.rows() == 2);
    CHECK(asked(files.test, split) == split.test.inputs);
    CHECK(asked(other, split) == split.test.inputs);
    CHECK(asked(files.train, split) == split.train.inputs);
  }
}

TEST_CASE("new rows that a table's model cannot be asked about are refused by place") {
  const CsvFiles files;
  DatasetOptions whole = files.options(Normalization::none, MissingValues::error);
  whole.path = whole.csv.test_path =
      write_bytes(files.folder / "whole.csv", "age,color,code,y\n31,red,1,1\n47,blue,2,2\n58,red,01,3\n");
  const Split<double> split = load(whole), filled = load(files.options(Normalization::none, MissingValues::mean));
  const auto refuses = [&](const std::string& text, const std::string& reason) {
    CAPTURE(text);
    CHECK_THAT(refusal(write_bytes(files.folder / "new.csv", text), split), Catch::Contains(reason));
  };
  refuses("age,color\n1,red\n", "no column \"code\"");
  refuses("Age,color,code\n1,red,1\n",
          "there is no column \"age\", which the table that the model was trained on has; "
          "\"Age\" is another name");
  refuses("age;color;code\n1;red;1\n", "its header is \"age;color;code\": separate the cells by \",\"");
  refuses("sep=,\nage,color,code\n1,red,1\n", "the first line, sep=, is for a spreadsheet program; take it out");
  refuses("1,red,1\n1,red,1\n", "columns 1 and 3 are both named \"1\"");
  refuses("age,color,code\n1,RED,1\n",
          "\"RED\" does not occur in the table that the model was trained on; is it \"red\"?");
  refuses("age,color,code\n1,\"red \",1\n", "it holds a space at an end");
  refuses("age,color,code\n1,red\xC2\xA0,1\n", "it holds a no-break space");
  refuses(
      "age,color,code\n1,re\xCC\x81"
      "d,1\n",
      "it holds an accent as a character of its own");
  refuses(
      "age,color,code\n1,r\xE9"
      "d,1\n",
      "it is no UTF-8 text: save the file as UTF-8");
  refuses("age,color,code\n\"1,5\",red,1\n", "a number with a decimal comma; write it with digits and a point");
  refuses(
      "age,color,code\n\xC2\xA0"
      "15,red,1\n",
      "not read as a number: a number with a no-break space; write it");
  refuses("age,color,code\n1,green,1\n", "row 1 (line 2), column \"color\": \"green\" does not occur");
  refuses("age,color,code\nold,red,1\n", "column \"age\": \"old\" is not a number");
  refuses("age,color,code\n,red,1\n", "column \"age\": missing value");
  refuses("age,color,code\ninf,red,1\n", "infinite");
  refuses("age,color,code\n1,red\n", "has 2 cells");
  refuses("age,color,code\n", "no rows");
  refuses("", "empty");
  CHECK(refusal(write_bytes(files.folder / "gap.csv", "age,color,code\n,red,1\n"), filled) == "");
  CHECK_THAT(refusal(files.folder / "none.csv", split), Catch::Contains("none.csv"));
  const auto array = write_matrix<double>(files.folder / "x.npy", 1, 2, {1, 2});
  CHECK_THAT(refusal(array, split), Catch::Contains(fmt::format("the model takes n x {}", split.train.dimension())));
}

TEMPLATE_TEST_CASE("new rows of an array become what the test rows became, bit by bit", "", float, double) {
  const TemporaryFolder folder;
  const Matrix<double> train = testing::random_matrix(9, 3, 1) * 20.0, test = testing::random_matrix(5, 3, 2) * 20.0;
  DatasetOptions options = all_rows("arrays");
  options.arrays.train_inputs = folder / "x.npy";
  options.arrays.test_inputs = folder / "t.npy";
  options.arrays.train_targets = folder / "y.npy";
  options.arrays.test_targets = folder / "ty.npy";
  write_npy<double>(options.arrays.train_inputs, train);
  write_npy<double>(options.arrays.test_inputs, test);
  write_npy<double>(options.arrays.train_targets, Matrix<double>(train.col(0)));
  write_npy<double>(options.arrays.test_targets, Matrix<double>(test.col(0)));
  for (const Normalization normalize : kAll) {
    options.normalize = normalize;
    const Split<TestType> split = load<TestType>(options);
    CHECK(asked(options.arrays.test_inputs, split) == split.test.inputs);
    CHECK(asked(options.arrays.train_inputs, split) == split.train.inputs);
  }
  const Split<TestType> split = load<TestType>(options);
  CHECK_THAT(refusal(options.arrays.test_targets, split), Catch::Contains("is 5 x 1; the model takes n x 3"));
  CHECK_THAT(refusal(write_bytes(folder / "t.csv", "a,b,c\n1,2,3\n"), split), Catch::Contains("not a .npy file"));
  Matrix<double> gap = test;
  gap(3, 1) = std::numeric_limits<double>::quiet_NaN();
  write_npy<double>(folder / "gap.npy", gap);
  CHECK_THAT(refusal(folder / "gap.npy", split), Catch::Contains("row 3, column 1 (counted from 0) is nan"));
  write_npy<double>(folder / "none.npy", Matrix<double>(0, 3));
  CHECK_THAT(refusal(folder / "none.npy", split), Catch::Contains("no rows"));
}

TEMPLATE_TEST_CASE("new images are bytes, or values from 0 to 1, in the order of the model's", "", float, double) {
  const TemporaryFolder folder;
  constexpr int kTrain = 4, kTest = 2, kSide = 2;
  std::string pixels;
  for (int i = 0; i < (kTrain + kTest) * kSide * kSide; ++i) pixels += static_cast<char>(i * 11 % 256);
  const auto big = [](int value) { return bytes({0, 0, 0, value}); };
  const auto write = [&](const char* part, int first, int n) {
    const auto from = static_cast<std::size_t>(first) * kSide * kSide,
               size = static_cast<std::size_t>(n) * kSide * kSide;
    write_bytes(folder / (std::string(part) + "-images-idx3-ubyte"),
                bytes({0, 0, 8, 3}) + big(n) + big(kSide) + big(kSide) + pixels.substr(from, size));
    std::string labels;
    for (int i = 0; i < n; ++i) labels += static_cast<char>(i % 2);
    write_bytes(folder / (std::string(part) + "-labels-idx1-ubyte"), bytes({0, 0, 8, 1}) + big(n) + labels);
  };
  write("train", 0, kTrain);
  write("t10k", kTrain, kTest);
  DatasetOptions options = all_rows("idx");
  options.path = folder.path();
  options.task = Task::classification;
  const std::string test = pixels.substr(std::size_t(kTrain) * kSide * kSide);
  const auto flat = write_npy_bytes(folder / "flat.npy", "|u1", "(2, 4)", test),
             images = write_npy_bytes(folder / "images.npy", "|u1", "(2, 1, 2, 2)", test),
             turned = write_npy_bytes(folder / "turned.npy", "|u1", "(2, 2, 2, 1)", test);
  for (const Normalization normalize : kAll) {
    options.normalize = normalize;
    const Split<TestType> split = load<TestType>(options);
    CHECK(asked(flat, split) == split.test.inputs);
    CHECK(asked(images, split) == split.test.inputs);
  }
  options.normalize = Normalization::none;
  const Split<TestType> split = load<TestType>(options);
  write_npy<TestType>(folder / "values.npy", split.test.inputs);
  CHECK(asked(folder / "values.npy", split) == split.test.inputs);
  write_npy<TestType>(folder / "large.npy", Matrix<TestType>(split.test.inputs * TestType(255)));
  CHECK_THAT(refusal(folder / "large.npy", split), Catch::Contains("divide by 255"));
  CHECK(asked(turned, split) == split.test.inputs);
  CHECK_THAT(refusal(write_npy_bytes(folder / "odd.npy", "|u1", "(2, 2, 1, 2)", test), split),
             Catch::Contains("takes images as n x 1 x 2 x 2, or n x 2 x 2 x 1"));
}

TEST_CASE("new rows of images that were trained on channels last come in either order") {
  const TemporaryFolder folder;
  std::string last, first;  // 2 images of 2 x 2 pixels, 3 channels
  for (int image = 0; image < 2; ++image) {
    for (int pixel = 0; pixel < 4; ++pixel)
      for (int channel = 0; channel < 3; ++channel) last += static_cast<char>(image * 100 + channel * 10 + pixel);
    for (int channel = 0; channel < 3; ++channel)
      for (int pixel = 0; pixel < 4; ++pixel) first += static_cast<char>(image * 100 + channel * 10 + pixel);
  }
  DatasetOptions options = all_rows("arrays");
  options.arrays.train_inputs = options.arrays.test_inputs =
      write_npy_bytes(folder / "last.npy", "|u1", "(2, 2, 2, 3)", last);
  options.arrays.train_targets = options.arrays.test_targets = write_matrix<double>(folder / "y.npy", 2, 1, {1, 2});
  const Split<double> split = load(options);
  REQUIRE(split.test.inputs(0, 1) == 1);  // channel 0, pixel 1
  CHECK(asked(options.arrays.test_inputs, split) == split.test.inputs);
  CHECK(asked(write_npy_bytes(folder / "first.npy", "|u1", "(2, 3, 2, 2)", first), split) == split.test.inputs);
  CHECK(asked(write_npy_bytes(folder / "flat.npy", "|u1", "(2, 12)", last), split) == split.test.inputs);
}
