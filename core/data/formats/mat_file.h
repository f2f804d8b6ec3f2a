// MATLAB's .mat files, version 5 and 7.3 (HDF5), through matio.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// The lengths of an array of the file, first index first, from its header. DataError naming the file: it cannot be
/// opened, is no .mat file, holds no array of that name.
std::vector<Index> mat_shape(const std::filesystem::path& path, const std::string& array);

/// The array's values, first index fastest (as the file has them). Bytes (uint8) as they are; doubles must be whole
/// numbers 0 to 255. DataError as above and for other types or a damaged file.
std::string read_mat_bytes(const std::filesystem::path& path, const std::string& array);

}  // namespace ansatz
