// Inside of npy.cpp: where the values of an open .npy file begin.
#pragma once

#include <cstdint>
#include <istream>

#include "core/npy.h"

namespace ansatz::detail {

/// Opens `path`, reads the header and leaves `file` at the first value; `data_bytes` receives what follows it.
/// Throws DataError as read_npy_header does.
NpyHeader open_npy(const std::filesystem::path& path, std::ifstream& file, std::uintmax_t& data_bytes);

/// The magic, the length and the header, padded with spaces so that the values begin at a multiple of 64 bytes.
std::string npy_preamble(const NpyHeader& header);

}  // namespace ansatz::detail
