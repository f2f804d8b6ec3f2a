// A .npy file whose values stay on disk: the system reads pages as they are touched, and drops them when memory is
// short.
#pragma once

#include <filesystem>
#include <memory>

#include "core/files/npy.h"

namespace ansatz {

struct MappedNpy {
  NpyHeader header;
  std::shared_ptr<const char> values;  ///< the first byte of the first value; unmapped with its last copy
};

/// Throws DataError as read_npy does, and where a matrix lies in the file column by column (Fortran order), because a
/// row would then be spread over all of it. The file must not be shortened while it is mapped: the system ends a
/// program that touches a page which is no longer there.
MappedNpy map_npy(const std::filesystem::path& path);

}  // namespace ansatz
