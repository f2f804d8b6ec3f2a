// SVHN's .mat files, written by matio in both versions.
#include <hdf5.h>
#include <matio.h>

#include <array>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPixels = 32 * 32 * 3;

/// The byte of image i at (channel, row, column).
int pixel(int i, int c, int y, int x) { return (i * 50 + c * 70 + y * 5 + x) % 256; }

void write_array(mat_t* file, const char* name, std::vector<std::size_t> shape, matio_classes kind, matio_types type,
                 const void* values, matio_compression compression = MAT_COMPRESSION_ZLIB) {
  const auto rank = static_cast<int>(shape.size());
  matvar_t* variable = Mat_VarCreate(name, kind, type, rank, shape.data(), const_cast<void*>(values), 0);
  Mat_VarWrite(file, variable, compression);
  Mat_VarFree(variable);
}

enum class Order { images_first, labels_first };

/// MATLAB's order: row fastest, then column, channel, image.
void write_svhn(const fs::path& path, const std::vector<unsigned char>& labels, mat_ft version,
                std::size_t channels = 3, Order order = Order::images_first,
                matio_compression compression = MAT_COMPRESSION_ZLIB) {
  std::vector<unsigned char> images;
  for (int i = 0; i < static_cast<int>(labels.size()); ++i)
    for (int c = 0; c < static_cast<int>(channels); ++c)
      for (int x = 0; x < 32; ++x)
        for (int y = 0; y < 32; ++y) images.push_back(static_cast<unsigned char>(pixel(i, c, y, x)));
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  REQUIRE(file != nullptr);
  const auto write_labels = [&] {
    write_array(file, "y", {labels.size(), 1}, MAT_C_UINT8, MAT_T_UINT8, labels.data(), compression);
  };
  if (order == Order::labels_first) write_labels();
  write_array(file, "X", {32, 32, channels, labels.size()}, MAT_C_UINT8, MAT_T_UINT8, images.data(), compression);
  if (order == Order::images_first) write_labels();
  Mat_Close(file);
}

/// Where the training file is to be written; the test file is whole.
struct SvhnFolder : TemporaryFolder {
  SvhnFolder() { write_svhn(*this / "test_32x32.mat", {2, 10}, MAT_FT_MAT5); }
  const fs::path train = *this / "train_32x32.mat";
  DatasetOptions options() const {
    DatasetOptions options = all_rows("svhn");
    options.path = path();
    return options;
  }
  std::string complaint() const { return load_error(options()); }
};

}  // namespace

TEMPLATE_TEST_CASE("svhn: versions 5 and 7.3, columns first, label 10 is the digit 0", "", float, double) {
  const SvhnFolder folder;
  write_svhn(folder.train, {1, 10, 9}, MAT_FT_MAT5);
  write_svhn(folder / "test_32x32.mat", {2, 10}, MAT_FT_MAT73);
  const Split<TestType> split = load<TestType>(folder.options());
  REQUIRE(split.train.size() == 3);
  REQUIRE(split.test.size() == 2);
  CHECK(split.train.image_shape == ImageShape{3, 32, 32});
  CHECK(split.train.class_names.at(0) == "0");
  CHECK(split.train.targets(0, 1) == 1);
  CHECK(split.train.targets(1, 0) == 1);
  CHECK(split.train.targets(2, 9) == 1);
  CHECK(split.test.targets(1, 0) == 1);
  const auto matches = [](const Matrix<TestType>& inputs) {
    for (int i = 0; i < static_cast<int>(inputs.rows()); ++i)
      for (int j = 0; j < static_cast<int>(kPixels); ++j)
        if (inputs(i, j) != static_cast<TestType>(pixel(i, j / 1024, j / 32 % 32, j % 32)) / TestType(255))
          return false;
    return true;
  };
  CHECK(matches(split.train.inputs));
  CHECK(matches(split.test.inputs));
  CHECK(dataset_size(folder.options()).train == 3);
}

TEST_CASE_METHOD(SvhnFolder, "svhn: labels may be doubles") {
  const std::vector<unsigned char> images(2 * kPixels, 7);
  const auto write_labels = [&](std::array<double, 2> labels) {
    mat_t* file = Mat_CreateVer(train.c_str(), nullptr, MAT_FT_MAT5);
    write_array(file, "X", {32, 32, 3, 2}, MAT_C_UINT8, MAT_T_UINT8, images.data());
    write_array(file, "y", {2, 1}, MAT_C_DOUBLE, MAT_T_DOUBLE, labels.data());
    Mat_Close(file);
  };
  write_labels({4, 5});
  CHECK(load(options()).train.targets(1, 5) == 1);
  write_labels({4, 5.5});
  CHECK(contains(complaint(), "train_32x32.mat: array \"y\" holds 5.5; whole numbers"));
}

TEST_CASE_METHOD(SvhnFolder, "svhn: damaged files are named") {
  CHECK(contains(complaint(), "no train_32x32.mat"));
  write_bytes(train, "this is no .mat file");
  CHECK(contains(complaint(), train.string() + ": not a .mat file"));
  write_svhn(train, {1, 11}, MAT_FT_MAT5);
  CHECK(contains(complaint(), train.string() + ": label 11 of image 1"));
  write_svhn(train, {1, 2}, MAT_FT_MAT5, 1);
  CHECK(contains(complaint(), train.string() + ": array \"X\" is 32 x 32 x 1 x 2"));
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    write_svhn(train, {1, 2, 3, 4}, version);
    const std::string whole = read_bytes(train);
    for (const double part : {0.02, 0.5, 0.95}) {
      write_bytes(train, whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      CHECK(contains(complaint(), train.string() + ": "));
    }
    write_bytes(train, whole);
    CHECK(complaint().empty());
  }
}

// matio reports neither: zeros took the place of what was missing.
TEST_CASE_METHOD(SvhnFolder, "svhn: a file cut anywhere behind its labels is refused") {
  for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    write_svhn(train, {1, 2, 3, 4, 5, 6}, MAT_FT_MAT5, 3, Order::labels_first, compression);
    CHECK(complaint().empty());
    const std::string whole = read_bytes(train);
    for (std::size_t size = 129; size < whole.size(); size += 1 + whole.size() / 40) {
      write_bytes(train, whole.substr(0, size));
      INFO(size << " of " << whole.size());
      CHECK(contains(complaint(), train.string() + ": damaged or cut short"));
      if (size > whole.size() / 2) CHECK_THROWS_AS(dataset_size(options()), DataError);
    }
    write_bytes(train, whole + "xyz");
    CHECK(contains(complaint(), train.string() + ": damaged or cut short"));
  }
}

TEST_CASE_METHOD(SvhnFolder, "svhn: a flipped bit within a compressed array is refused or changes nothing") {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    write_svhn(train, {1, 2, 3, 4}, version);
    const Matrix<double> inputs = load(options()).train.inputs, targets = load(options()).train.targets;
    const std::string whole = read_bytes(train);
    int refused = 0;
    // HDF5's headers, which come first, have no checksum in files of its first format; the packed values behind have.
    for (std::size_t at = version == MAT_FT_MAT5 ? 128 : 4096; at < whole.size(); at += 1 + whole.size() / 200) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
      write_bytes(train, flipped);
      INFO("version " << version << ", byte " << at << " of " << whole.size());
      try {
        const Split<double> split = load(options());
        CHECK((split.train.inputs == inputs && split.train.targets == targets));
      } catch (const DataError&) {
        ++refused;
      }
    }
    CHECK(refused > 20);
  }
}

TEST_CASE_METHOD(SvhnFolder, "svhn: dimensions that no file of its size could hold are refused before room is made") {
  write_svhn(train, {1, 2}, MAT_FT_MAT5, 3, Order::images_first, MAT_COMPRESSION_NONE);
  std::string bytes = read_bytes(train);
  const std::size_t dimensions = 128 + 8 + 16 + 8;  // header, tag, flags, tag of the dimensions
  REQUIRE(static_cast<unsigned char>(bytes[dimensions]) == 32);
  bytes[dimensions + 3] = 0x7F;
  write_bytes(train, bytes);
  CHECK(contains(complaint(), train.string() + ": damaged or cut short: array \"X\" cannot hold"));
}

TEST_CASE_METHOD(SvhnFolder,
                 "svhn: a type of version 7.3 that claims gigabytes a value is refused before room is made") {
  write_svhn(train, {1, 2}, MAT_FT_MAT73, 3, Order::images_first, MAT_COMPRESSION_NONE);
  std::string bytes = read_bytes(train);
  const std::string byte_type("\x10\0\0\0\1\0\0\0\0\0\x08\0", 12);  // HDF5's unsigned integer of 1 byte, 8 bits
  std::size_t found = bytes.find(byte_type);
  REQUIRE(found != std::string::npos);
  for (; found != std::string::npos; found = bytes.find(byte_type)) bytes.replace(found + 4, 4, "\x01\xff\xff\xff");
  write_bytes(train, bytes);
  CHECK(complaint() == train.string() + ": array \"X\" holds no plain numbers");
}

TEST_CASE_METHOD(SvhnFolder, "svhn: what has no mark of its byte order is no .mat file") {  // of version 4, for matio
  std::string bytes(200, '\0');
  bytes[4] = bytes[8] = 1;
  bytes[19] = '\x30';  // the length of a name
  write_bytes(train, bytes);
  CHECK(contains(complaint(), train.string() + ": not a .mat file"));
}

TEST_CASE_METHOD(SvhnFolder, "svhn: an array of version 7.3 that was made but never written is refused") {
  write_svhn(train, {1, 2}, MAT_FT_MAT73);
  const hid_t file = H5Fopen(train.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "X", H5P_DEFAULT);
  const hsize_t shape[4] = {2, 3, 32, 32};  // HDF5's order is MATLAB's turned round
  const hid_t space = H5Screate_simple(4, shape, nullptr);
  const hid_t data = H5Dcreate2(file, "X", H5T_NATIVE_UINT8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t text = H5Tcopy(H5T_C_S1), single = H5Screate(H5S_SCALAR);
  H5Tset_size(text, 5);
  const hid_t kind = H5Acreate2(data, "MATLAB_class", text, single, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(kind, text, "uint8");
  H5Aclose(kind);
  H5Sclose(single);
  H5Tclose(text);
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
  CHECK(contains(complaint(), train.string() + ": no array \"X\" in this .mat file, or it was never"));
}
