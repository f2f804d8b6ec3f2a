#include "core/data/formats/mat_file.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <matio.h>

#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "core/data/formats/mat5.h"
#include "core/files/files.h"
#include "core/machine/memory.h"

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

/// To be locked while HDF5 is used: Debian's is not thread-safe.
std::mutex& mat_mutex() {
  static std::mutex mutex;
  return mutex;
}

File open_mat(const fs::path& path) {
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

/// Checks a file of version 7.3. Without an error, HDF5 gives zeros for parts that were never written; and to convert a
/// value it takes as much memory as the value's type says, even if that type is damaged.
void check_mat73(const fs::path& path, const std::string& array) {
  const hid_t file =
      H5Fis_hdf5(path.c_str()) > 0 ? H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT) : H5I_INVALID_HID;
  if (file < 0) return;  // matio reports this
  const hid_t data = H5Dopen2(file, array.c_str(), H5P_DEFAULT);
  const hid_t type = data >= 0 ? H5Dget_type(data) : H5I_INVALID_HID;
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  bool packed = false;  // then HDF5 1.10 calls a whole array partly allocated
  if (data >= 0) {
    H5Dget_space_status(data, &status);
    const hid_t plan = H5Dget_create_plist(data);
    packed = H5Pget_nfilters(plan) > 0;
    H5Pclose(plan);
  }
  const bool numbers =
      type >= 0 && (H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT) && H5Tget_size(type) <= 8;
  if (type >= 0) H5Tclose(type);
  if (data >= 0) H5Dclose(data);
  H5Fclose(file);
  if (status != H5D_SPACE_STATUS_ALLOCATED && !(packed && status == H5D_SPACE_STATUS_PART_ALLOCATED))
    throw DataError(fmt::format("{}: no array \"{}\" in this .mat file, or it was never written whole; get it again",
                                path.string(), array));
  if (!numbers) throw DataError(fmt::format("{}: array \"{}\" holds no plain numbers", path.string(), array));
}

/// Throws unless the file has the byte order mark of both versions. matio would take any other file for version 4, and
/// reserve as much memory as its first bytes happen to say.
void require_mark(const fs::path& path) {
  InputFile file(path);
  std::string mark(2, '\0');
  file.seek(126);
  if (file.read(mark.data(), mark.size()) < mark.size() || (mark != "IM" && mark != "MI"))
    throw DataError(path.string() + ": not a .mat file (version 5 or 7.3), or cut short; get it again");
}

/// Checks what matio does not. To be called before matio opens the file, because HDF5 opens a file only once at a time.
void check_whole(const fs::path& path, const std::string& array, bool values) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // or HDF5 would fill stderr with messages of its own
  require_mark(path);
  detail::check_mat5(path, array, values);
  check_mat73(path, array);
}

/// How many values an array has; DataError if their number overflows.
std::size_t count_of(const matvar_t& variable, const fs::path& path, const std::string& array) {
  std::size_t count = 1;
  for (int i = 0; i < variable.rank; ++i) {
    if (__builtin_mul_overflow(count, variable.dims[i], &count) || count > std::numeric_limits<Index>::max() / 16)
      throw DataError(fmt::format("{}: array \"{}\" has impossible dimensions; get it again", path.string(), array));
  }
  return count;
}

/// Throws MemoryError if an array is too large. To be called before it is read: matio allocates what its dimensions
/// say.
void require_room(const matvar_t& variable, const fs::path& path, const std::string& array) {
  const auto count = static_cast<double>(count_of(variable, path, array));
  const double bytes_of_value = variable.class_type == MAT_C_UINT8 ? 1 : 8;
  require_memory(count * (1 + bytes_of_value), fmt::format("{}: array \"{}\"", path.string(), array));
}

std::string bytes_of(const matvar_t& variable, const fs::path& path, const std::string& array) {
  const std::size_t count = count_of(variable, path, array);
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
  check_whole(path, array, false);
  const File file = open_mat(path);
  const Variable variable = check(Mat_VarReadInfo(file.get(), array.c_str()), path, array);
  count_of(*variable, path, array);
  return shape_of(*variable);
}

std::string read_mat_bytes(const fs::path& path, const std::string& array) {
  const std::lock_guard lock(mat_mutex());
  check_whole(path, array, true);
  const File file = open_mat(path);
  const Variable variable = check(Mat_VarReadInfo(file.get(), array.c_str()), path, array);
  require_room(*variable, path, array);
  if (Mat_VarReadDataAll(file.get(), variable.get()) != 0)
    throw DataError(fmt::format("{}: array \"{}\" is damaged; get it again", path.string(), array));
  return bytes_of(*variable, path, array);
}

}  // namespace ansatz
