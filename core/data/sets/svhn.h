// SVHN's cropped digits (format 2): 32 x 32 colour images in .mat files.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"

namespace ansatz {

std::vector<std::string> svhn_files();

/// The files hold X, 32 x 32 x 3 x n (row, column, channel, image), and y, n labels of which 10 stands for the digit 0.
/// They become images of 3 x 32 x 32, divided by 255, and classes "0" to "9". Throws DataError naming the file as
/// core/data/formats/mat_file.h says, for arrays of other shapes, and for a label that is not 1 to 10.
RowSource open_svhn(const std::filesystem::path& folder);

}  // namespace ansatz
