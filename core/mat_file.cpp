#include "core/mat_file.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <matio.h>

#include <cmath>
#include <memory>
#include <mutex>

#include "core/error.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

/// Debian's HDF5 is not thread-safe.
std::mutex& mat_mutex() {
  static std::mutex mutex;
  return mutex;
}

File open_mat(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw DataError(path.string() + ": no such file");
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // else a damaged file fills stderr with HDF5's own account of it
  File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw DataError(path.string() + ": not a .mat file (version 5 or 7.3), or cut short; get it again");
  return file;
}

Variable check(matvar_t* variable, const fs::path& path, const std::string& array) {
  if (variable == nullptr) {
    throw DataError(
        fmt::format("{}: no array \"{}\" in this .mat file, or the file is cut short", path.string(), array));
  }
  return Variable(variable);
}

std::vector<Index> shape_of(const matvar_t& variable) { return {variable.dims, variable.dims + variable.rank}; }

std::string bytes_of(const matvar_t& variable, const fs::path& path, const std::string& array) {
  std::size_t count = 1;
  for (const Index length : shape_of(variable)) count *= static_cast<std::size_t>(length);
  const bool complete = variable.data != nullptr && !variable.isComplex &&
                        variable.nbytes == count * static_cast<std::size_t>(variable.data_size);
  if (!complete) throw DataError(fmt::format("{}: array \"{}\" is damaged; get it again", path.string(), array));
  if (variable.class_type == MAT_C_UINT8) return {static_cast<const char*>(variable.data), count};
  if (variable.class_type != MAT_C_DOUBLE)
    throw DataError(fmt::format("{}: array \"{}\" holds neither uint8 nor double values", path.string(), array));
  const auto* values = static_cast<const double*>(variable.data);
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    if (!(values[i] >= 0 && values[i] <= 255 && values[i] == std::floor(values[i]))) {
      throw DataError(
          fmt::format("{}: array \"{}\" holds {}; whole numbers 0 to 255 are needed", path.string(), array, values[i]));
    }
    bytes[i] = static_cast<char>(static_cast<unsigned char>(values[i]));
  }
  return bytes;
}

}  // namespace

std::vector<Index> mat_shape(const fs::path& path, const std::string& array) {
  const std::lock_guard lock(mat_mutex());
  const File file = open_mat(path);
  return shape_of(*check(Mat_VarReadInfo(file.get(), array.c_str()), path, array));
}

std::string read_mat_bytes(const fs::path& path, const std::string& array) {
  const std::lock_guard lock(mat_mutex());
  const File file = open_mat(path);
  return bytes_of(*check(Mat_VarRead(file.get(), array.c_str()), path, array), path, array);
}

}  // namespace ansatz
