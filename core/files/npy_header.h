// Internal to this folder: reads and writes the header of a .npy file.
#pragma once

#include "core/files/files.h"
#include "core/files/npy.h"

namespace ansatz::detail {

/// Reads the header and leaves `file` at the first value. Throws DataError as read_npy_header does.
NpyHeader read_npy_header(InputFile& file);

/// The magic, the length and the header, padded with spaces so that the values begin at a multiple of 64 bytes.
std::string npy_preamble(const NpyHeader& header);

}  // namespace ansatz::detail
