#include <cstring>
#include <numeric>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/files/npy_rows.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

/// An array of that shape whose values count up, stored as T.
template <class T>
std::string counting(Index size) {
  std::string bytes(static_cast<std::size_t>(size) * sizeof(T), '\0');
  for (Index i = 0; i < size; ++i) {
    const T value = static_cast<T>(i);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

std::string preamble(const std::string& descr, bool fortran, const std::string& shape) {
  const std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\0", 8) + bytes({static_cast<int>(dict.size()), 0}) + dict;
}

}  // namespace

TEST_CASE("any rows of an array are those of the whole array") {
  const TemporaryFolder folder;
  struct Case {
    const char *descr, *shape;
    bool fortran;
    std::string values;
  };
  const Case cases[] = {{"<i4", "(1000, 7)", false, counting<std::int32_t>(7000)},
                        {"<i4", "(1000, 7)", true, counting<std::int32_t>(7000)},
                        {"<f8", "(500, 2, 3, 4)", true, counting<double>(12000)},
                        {"<f4", "(12000,)", false, counting<float>(12000)},
                        {"|u1", "(3, 100000)", false, counting<std::uint8_t>(300000)},
                        {"<i2", "(3, 100000)", true, counting<std::int16_t>(300000)}};
  RandomStream stream(1);
  for (const Case& c : cases) {
    const auto path = write_bytes(folder / "a.npy", preamble(c.descr, c.fortran, c.shape) + c.values);
    const Matrix<double> whole = read_npy<double>(path);
    const NpyRows file(path);
    for (const Index count : {Index{0}, Index{1}, Index{2}, whole.rows() / 2, whole.rows()}) {
      const std::vector<Index> rows = stream.sample(whole.rows(), count);
      Matrix<double> some;
      file.read(rows.data(), static_cast<Index>(rows.size()), some);
      CHECK(some == Matrix<double>(whole(rows, Eigen::all)));
    }
  }
}

TEST_CASE("integers of 64 bits keep every digit") {
  const TemporaryFolder folder;
  const std::int64_t values[] = {9007199254740993, 9007199254740992, -9007199254740993};
  std::string text(sizeof values, '\0');
  std::memcpy(text.data(), values, sizeof values);
  const NpyRows file(write_npy_bytes(folder / "a.npy", "<i8", "(3,)", text));
  const Index rows[] = {0, 1, 2};
  Matrix<std::int64_t> read;
  file.read(rows, 3, read);
  for (Index i = 0; i < 3; ++i) CHECK(read(i, 0) == values[i]);
}

TEST_CASE("rows of a damaged array are refused when it is opened") {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "a.npy", preamble("<f8", false, "(10, 2)") + counting<double>(19));
  CHECK(contains(message_of<DataError>([&] { NpyRows file(path); }), "truncated"));
  write_bytes(path, preamble("|O", false, "(10, 2)") + counting<double>(20));
  CHECK(contains(message_of<DataError>([&] { NpyRows file(path); }), "Python objects"));
}
