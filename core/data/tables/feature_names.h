// Names of the columns of arrays, which .npy files cannot hold: a list, or a text file with one name a line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// The lines of a UTF-8 text file; line ends may be LF or CRLF, and a byte order mark is skipped. DataError if it
/// cannot be read.
std::vector<std::string> read_feature_names(const std::filesystem::path& file);

/// Throws DataError, which begins with `where`, unless there are d names, none empty, none twice, all UTF-8.
void check_feature_names(const std::vector<std::string>& names, Index d, const std::string& where);

}  // namespace ansatz
