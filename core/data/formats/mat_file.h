// MATLAB's .mat files, version 5 and 7.3 (HDF5), through matio.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// The dimensions of an array in the file, from its header, first index first. Throws DataError naming the file if it
/// cannot be opened, is not a .mat file, or holds no array of that name.
std::vector<Index> mat_shape(const std::filesystem::path& path, const std::string& array);

/// The array's values as bytes, first index fastest, as the file has them. uint8 values are taken as they are; doubles
/// must be whole numbers from 0 to 255. Throws DataError as above, and for other types or a damaged file.
std::string read_mat_bytes(const std::filesystem::path& path, const std::string& array);

}  // namespace ansatz
