#include <cstdint>

#include "core/base/error.h"
#include "core/data/rows/stored_dataset.h"
#include "core/files/npy.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

/// All values of an element type of one byte, and some rows of them in an odd order.
template <class Element>
std::shared_ptr<const Matrix<Element>> counting(Index rows, Index cols) {
  Matrix<Element> values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<Element>(i * 7 % 256);
  return std::make_shared<const Matrix<Element>>(std::move(values));
}

const std::vector<Index> kOdd = {5, 0, 3, 3, 299};

std::string npy_file(const std::string& descr, const std::string& shape, bool fortran, std::string_view values) {
  const std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  std::string text("\x93NUMPY\x01\0", 8);
  text += {static_cast<char>(dict.size()), '\0'};
  return text + dict + std::string(values);
}

template <class Element>
std::string_view bytes_of(const Matrix<Element>& m) {
  return {reinterpret_cast<const char*>(m.data()), static_cast<std::size_t>(m.size()) * sizeof(Element)};
}

}  // namespace

TEMPLATE_TEST_CASE("rows of every element type are the cast matrix's", "", std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, Eigen::half, float, double) {
  const auto stored = counting<TestType>(300, 9);
  const StoredRows<float> rows(stored);
  const Matrix<float> cast = stored->template cast<float>();
  CHECK(rows.rows() == 300);
  CHECK(rows.cols() == 9);
  CHECK(rows.bytes() == 300 * 9 * double(sizeof(TestType)));
  CHECK(rows.middle_rows(0, 300) == cast);
  CHECK(rows.gather(kOdd) == Matrix<float>(cast(kOdd, Eigen::all)));
  CHECK(rows.stored_as_scalars() == std::is_same_v<TestType, float>);
}

TEST_CASE("chosen rows are those of the whole, and may be chosen from again") {
  const auto stored = counting<std::uint8_t>(300, 9);
  const Matrix<float> cast = stored->cast<float>();
  const StoredRows<float> rows(stored), some = rows.chosen(kOdd), fewer = some.chosen({4, 1});
  CHECK(some.rows() == 5);
  CHECK(some.bytes() == 5 * 9);
  CHECK(some.middle_rows(0, 5) == Matrix<float>(cast(kOdd, Eigen::all)));
  CHECK(fewer.gather({1, 0}) == Matrix<float>(cast(std::vector<Index>{0, 299}, Eigen::all)));
  CHECK(rows.chosen({}).rows() == 0);
  CHECK_THROWS_AS(some.chosen({5}), std::out_of_range);
}

TEST_CASE("stored rows outlive what they were made from") {
  StoredRows<double> rows;
  {
    const auto stored = counting<std::uint8_t>(4, 2);
    rows = StoredRows<double>(stored);
  }
  CHECK(rows.element() == "u1");
  CHECK(rows.gather({1})(0, 1) == 21);
}

TEST_CASE("a mapped .npy file gives the rows that read_npy gives") {
  const TemporaryFolder folder;
  const auto signed_bytes = counting<std::int8_t>(300, 6);
  const auto file = write_bytes(folder / "bytes.npy", npy_file("|i1", "(300, 2, 3)", false, bytes_of(*signed_bytes)));
  const StoredRows<float> rows = StoredRows<float>::npy(file);
  CHECK(rows.element() == "i1");
  CHECK(rows.middle_rows(0, 300) == read_npy<float>(file));
  CHECK(rows.gather(kOdd) == Matrix<float>(read_npy<float>(file)(kOdd, Eigen::all)));

  const Matrix<float> floats = testing::random_matrix<float>(50, 3);
  write_npy<float>(folder / "floats.npy", floats);
  CHECK(StoredRows<float>::npy(folder / "floats.npy").stored_as_scalars());
  CHECK(StoredRows<float>::npy(folder / "floats.npy").middle_rows(10, 5) == floats.middleRows(10, 5));
  CHECK_FALSE(StoredRows<double>::npy(folder / "floats.npy").stored_as_scalars());

  const char swapped[] = {0x3f, static_cast<char>(0x80), 0, 0};  // 1.0f, the highest byte first
  const auto other = write_bytes(folder / "swapped.npy", npy_file(">f4", "(1, 1)", false, {swapped, 4}));
  CHECK(StoredRows<float>::npy(other).gather({0})(0, 0) == 1);
  CHECK_FALSE(StoredRows<float>::npy(other).stored_as_scalars());
}

TEST_CASE("a .npy file that cannot be mapped is refused") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name, const std::string& contents) {
    return message_of<DataError>([&] { StoredRows<float>::npy(write_bytes(folder / name, contents)); });
  };
  CHECK(contains(error("columns.npy", npy_file("|u1", "(2, 2)", true, "abcd")), "ascontiguousarray"));
  CHECK(error("one.npy", npy_file("|u1", "(4,)", true, "abcd")).empty());
  CHECK(contains(error("short.npy", npy_file("|u1", "(2, 2)", false, "abc")), "truncated"));
  CHECK(contains(error("text.npy", npy_file("|S1", "(2, 2)", false, "abcd")), "text"));
  CHECK(contains(message_of<DataError>([&] { StoredRows<float>::npy(folder / "none.npy"); }), "none.npy"));
}

TEST_CASE("stored rows are transformed when they are gathered") {
  InputTransform transform;
  transform.normalization = Normalization::standardize;
  transform.shift = InputTransform::Row::LinSpaced(9, 1, 9);
  transform.scale = InputTransform::Row::Constant(9, 4);
  const auto stored = counting<std::uint8_t>(300, 9);
  const StoredRows<float> rows = StoredRows<float>(stored).transformed(transform);
  Matrix<float> expected = stored->cast<float>();
  transform.apply(expected);
  CHECK(rows.middle_rows(0, 300) == expected);
  CHECK(rows.gather(kOdd) == Matrix<float>(expected(kOdd, Eigen::all)));
  CHECK(rows.gather({0})(0, 2) == (14 - 3) / 4.0F);
}

TEST_CASE("a stored data set's rows are those of the data set") {
  auto data = std::make_shared<Dataset<double>>();
  data->inputs = testing::random_matrix<double>(20, 3);
  data->targets = testing::random_matrix<double>(20, 2, 4);
  data->task = Task::regression;
  data->feature_names = {"a", "b", "c"};
  const StoredDataset<double> stored = StoredDataset<double>::of(data);
  CHECK(stored.size() == 20);
  const Dataset<double> some = stored.rows({7, 2}), expected = data->rows({7, 2});
  CHECK(some.inputs == expected.inputs);
  CHECK(some.targets == expected.targets);
  CHECK(some.feature_names == expected.feature_names);
}
