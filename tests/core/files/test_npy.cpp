#include <cstdint>
#include <cstring>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

/// A .npy file put together by hand.
std::string npy(const std::string& dtype, const std::string& order, const std::string& shape, const std::string& values,
                int version = 1) {
  const std::string dict = "{'descr': '" + dtype + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  bytes += static_cast<char>(dict.size());
  bytes.append(version == 1 ? 1 : 3, '\0');
  return bytes + dict + values;
}

/// The bytes of each value, most significant first if `big`.
template <class Stored>
std::string stored(std::initializer_list<Stored> values, bool big = false) {
  std::string bytes;
  for (const Stored value : values) {
    std::string one(sizeof(Stored), '\0');
    std::memcpy(one.data(), &value, sizeof(Stored));
    if (big) one.assign(one.rbegin(), one.rend());
    bytes += one;
  }
  return bytes;
}

Matrix<double> matrix(Index rows, Index cols, std::initializer_list<double> values) {
  Matrix<double> a(rows, cols);
  std::copy(values.begin(), values.end(), a.data());
  return a;
}

}  // namespace

TEMPLATE_TEST_CASE("arrays come back as they were written", "", float, double) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.npy";
  RandomStream stream(1);
  const Matrix<TestType> a = stream.normal_matrix<TestType>(70, 13);
  const Vector<TestType> v = stream.normal_matrix<TestType>(1, 41).row(0);

  write_npy<TestType>(path, a);
  CHECK(read_npy<TestType>(path) == a);
  CHECK(read_npy_header(path).shape == std::vector<Index>{70, 13});
  CHECK(fs::file_size(path) == 128 + sizeof(TestType) * 70 * 13);

  write_npy<TestType>(path, a.middleRows(3, 5));
  CHECK(read_npy<TestType>(path) == a.middleRows(3, 5));
  write_npy<TestType>(path, a.block(1, 2, 6, 4));  // rows apart in memory
  CHECK(read_npy<TestType>(path) == a.block(1, 2, 6, 4));

  write_npy<TestType>(path, v);
  CHECK(read_npy<TestType>(path) == Matrix<TestType>(v));
  CHECK(read_npy_header(path).shape == std::vector<Index>{41});
  write_npy(path, v);
  CHECK(read_npy<TestType>(path).rows() == 41);

  write_npy(path, Matrix<TestType>(0, 5));
  CHECK(read_npy<TestType>(path).cols() == 5);
}

TEST_CASE("written bytes are those of numpy.save") {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", Matrix<float>(matrix(1, 2, {1, -2}).cast<float>()));
  std::string expected =
      std::string("\x93NUMPY\x01\0\x76\0", 10) + "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  expected.append(127 - expected.size(), ' ');
  CHECK(read_bytes(folder / "a.npy") == expected + "\n" + stored<float>({1, -2}));
  write_npy(folder / "v.npy", Vector<double>(Vector<double>::Ones(3)));
  CHECK(contains(read_bytes(folder / "v.npy"), "'<f8', 'fortran_order': False, 'shape': (3,), }"));
}

TEST_CASE("every numeric type and byte order is read") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& bytes) { return read_npy<double>(write_bytes(folder / "a.npy", bytes)); };
  const Matrix<double> expected = matrix(3, 1, {1, 0, 77});

  CHECK(read(npy("|b1", "False", "(3,)", stored<std::uint8_t>({1, 0, 1}))) == matrix(3, 1, {1, 0, 1}));
  CHECK(read(npy("|u1", "False", "(3,)", stored<std::uint8_t>({1, 0, 200}))) == matrix(3, 1, {1, 0, 200}));
  CHECK(read(npy("|i1", "False", "(3,)", stored<std::int8_t>({1, 0, -100}))) == matrix(3, 1, {1, 0, -100}));
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    CHECK(read(npy(order + "u2", "False", "(3,)", stored<std::uint16_t>({1, 0, 60000}, big))) ==
          matrix(3, 1, {1, 0, 60000}));
    CHECK(read(npy(order + "i2", "False", "(3,)", stored<std::int16_t>({1, 0, 77}, big))) == expected);
    CHECK(read(npy(order + "u4", "False", "(3,)", stored<std::uint32_t>({1, 0, 77}, big))) == expected);
    CHECK(read(npy(order + "i4", "False", "(3,)", stored<std::int32_t>({1, 0, -7}, big))) == matrix(3, 1, {1, 0, -7}));
    CHECK(read(npy(order + "u8", "False", "(3,)", stored<std::uint64_t>({1, 0, 77}, big))) == expected);
    CHECK(read(npy(order + "i8", "False", "(3,)", stored<std::int64_t>({1, 0, 77}, big))) == expected);
    CHECK(read(npy(order + "f2", "False", "(2,)", stored<std::uint16_t>({0x3c00, 0xc100}, big))) ==
          matrix(2, 1, {1, -2.5}));
    CHECK(read(npy(order + "f4", "False", "(3,)", stored<float>({1, 0, 0.5f}, big))) == matrix(3, 1, {1, 0, 0.5}));
    CHECK(read(npy(order + "f8", "False", "(3,)", stored<double>({1, 0, 0.1}, big))) == matrix(3, 1, {1, 0, 0.1}));
  }
  CHECK(read_npy_header(write_bytes(folder / "a.npy", npy(">i8", "False", "(3L,)", ""))).is_integer());
  CHECK_FALSE(read_npy_header(write_bytes(folder / "a.npy", npy("<f4", "False", "(3,)", ""))).is_integer());
}

TEST_CASE("Fortran order, more dimensions and later versions are read") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& bytes) { return read_npy<float>(write_bytes(folder / "a.npy", bytes)); };
  const Matrix<float> two_by_three = matrix(2, 3, {1, 2, 3, 4, 5, 6}).cast<float>();
  CHECK(read(npy("<f8", "True", "(2, 3)", stored<double>({1, 4, 2, 5, 3, 6}))) == two_by_three);
  CHECK(read(npy(">i4", "True", "(2, 3)", stored<std::int32_t>({1, 4, 2, 5, 3, 6}, true))) == two_by_three);
  CHECK(read(npy("<f4", "False", "(2, 3)", stored<float>({1, 2, 3, 4, 5, 6}), 2)) == two_by_three);
  CHECK(read(npy("<f4", "False", "(2, 3)", stored<float>({1, 2, 3, 4, 5, 6}), 3)) == two_by_three);
  CHECK(read(npy("<f4", "False", "(1, 3, 1, 2)", stored<float>({1, 2, 3, 4, 5, 6}))).cols() == 6);
  CHECK(read(npy("<f4", "False", "()", stored<float>({7}))) == Matrix<float>::Constant(1, 1, 7));
  CHECK(read(npy("<f4", "True", "(3,)", stored<float>({7, 8, 9}))).rows() == 3);

  // a[i, j, k, l] = 1000 i + 100 j + 10 k + l of shape (2, 3, 2, 2), its first index fastest in the file.
  std::string values;
  Matrix<float> expected(2, 12);
  for (int l = 0; l < 2; ++l)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 2; ++i) {
          const auto value = static_cast<float>(1000 * i + 100 * j + 10 * k + l);
          values += stored<float>({value});
          expected(i, (j * 2 + k) * 2 + l) = value;
        }
  CHECK(read(npy("<f4", "True", "(2, 3, 2, 2)", values)) == expected);
}

TEST_CASE("arrays longer than one conversion step are read whole") {
  const TemporaryFolder folder;
  const Index rows = 70'001;
  std::string bytes;
  for (Index j = 0; j < 2; ++j)
    for (Index i = 0; i < rows; ++i) bytes += stored<std::int32_t>({static_cast<std::int32_t>(2 * i + j)});
  const Matrix<double> a = read_npy<double>(write_bytes(folder / "f.npy", npy("<i4", "True", "(70001, 2)", bytes)));
  const Matrix<double> c = read_npy<double>(write_bytes(folder / "c.npy", npy("<i4", "False", "(2, 70001)", bytes)));
  bool same = true;
  for (Index i = 0; i < rows; ++i)
    same &= a(i, 0) == 2.0 * i && a(i, 1) == 2.0 * i + 1 && c(0, i) == 2.0 * i && c(1, i) == 2.0 * i + 1;
  CHECK(same);
}

TEST_CASE("damaged or foreign .npy files are errors that say so") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& bytes) {
    const fs::path path = write_bytes(folder / "a.npy", bytes);
    const std::string text = message_of<DataError>([&] { read_npy<float>(path); });
    CHECK(contains(text, path.string()));
    return text;
  };
  const std::string good = npy("<f4", "False", "(2, 3)", stored<float>({1, 2, 3, 4, 5, 6}));
  CHECK(contains(message(good.substr(0, good.size() - 1)), "expected 24 bytes of values, found 23"));
  CHECK(contains(message(good.substr(0, 30)), "truncated within the .npy header"));
  CHECK(contains(message(good.substr(0, 9)), "truncated within the .npy header"));
  CHECK(contains(message(""), "not a .npy file"));
  CHECK(contains(message("PK\x03\x04 an archive of arrays"), "not a .npy file"));
  CHECK(contains(message(npy("<f4", "False", "(1,)", stored<float>({1}), 9)), "version 9"));
  CHECK(contains(message(npy("|O", "False", "(1,)", "12345678")), "Python objects"));
  CHECK(contains(message(npy("<c8", "False", "(1,)", "12345678")), "complex numbers"));
  CHECK(contains(message(npy("<U2", "False", "(1,)", "12345678")), "text"));
  CHECK(contains(message(npy("<f16", "False", "(1,)", std::string(16, '\0'))), "<f16"));
  CHECK(contains(message(npy("<M8[ns]", "False", "(1,)", "12345678")), "dates"));
  CHECK(contains(message(npy("x", "False", "(1,)", "12345678")), "unsupported"));
  CHECK(contains(message(npy("<f4", "False", "(1, 1, 1, 1, 1)", stored<float>({1}))), "5 dimensions"));
  CHECK(contains(message(npy("<f4", "False", "(4294967296, 4294967296, 4294967296)", "")), "larger than any file"));
  CHECK(contains(message(npy("<f4", "False", "(0, 4294967296, 4294967296)", "")), "larger than any file"));
  CHECK(contains(message(npy("<f4", "False", "(-1, 2)", "")), "damaged .npy header"));
  CHECK(contains(message(npy("<f4", "Maybe", "(1,)", stored<float>({1}))), "damaged .npy header"));
  CHECK(contains(message(npy("<f4", "False", "(1, 2", "")), "damaged .npy header"));
  CHECK(contains(message(npy("<f4', 'extra': 'x", "False", "(1,)", stored<float>({1}))), "damaged .npy header"));
  CHECK(contains(message_of<DataError>([&] { read_npy<float>(folder / "none.npy"); }), "No such file"));
  CHECK(contains(message_of<DataError>([&] { read_npy<float>(folder.path()); }), "it is a folder"));
}

TEST_CASE("a file changed by a transfer as text, or longer than its header says, is refused") {
  const TemporaryFolder folder;
  std::string whole = npy("|u1", "False", "(3,)", stored<std::uint8_t>({1, 10, 3}));
  const auto complaint = [&](const std::string& bytes) {
    return message_of<DataError>([&] { read_npy<double>(write_bytes(folder / "a.npy", bytes)); });
  };
  CHECK(complaint(whole).empty());
  CHECK(contains(complaint(whole + "12"), "2 bytes beyond its values"));
  for (std::size_t at = whole.find('\n', 8); at != std::string::npos; at = whole.find('\n', at + 2))
    whole.insert(at, "\r");
  CHECK(contains(complaint(whole), "does not end a line (transferred as text?)"));
}

TEST_CASE("a header cut at any byte is an error, never a crash") {
  const TemporaryFolder folder;
  const std::string good = npy("<f4", "False", "(2, 3)", stored<float>({1, 2, 3, 4, 5, 6}));
  for (std::size_t keep = 0; keep < good.size(); ++keep) {
    const fs::path path = write_bytes(folder / "a.npy", good.substr(0, keep));
    CHECK_THROWS_AS(read_npy<float>(path), DataError);
  }
  const std::string dict = good.substr(10, good.size() - 34);
  for (std::size_t keep = 0; keep + 1 < dict.size(); ++keep) {  // a short dictionary of the length it claims
    std::string bytes = good.substr(0, 8) + std::string{static_cast<char>(keep), '\0'} + dict.substr(0, keep);
    const fs::path path = write_bytes(folder / "a.npy", bytes);
    CHECK_THROWS_AS(read_npy<float>(path), DataError);
  }
}
