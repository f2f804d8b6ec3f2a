// STL-10's binary version: 96 x 96 colour images and labels 1 to 10 in files of their own.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"

namespace ansatz {

/// The files needed. class_names.txt is read too, if it is there.
std::vector<std::string> stl10_files();

/// Images of 3 x 96 x 96, divided by 255; the unlabelled ones are not read. Throws DataError naming the file if its
/// size is not a multiple of 27,648, if there are not as many labels as images, or if a label is not 1 to 10.
RowSource open_stl10(const std::filesystem::path& folder);

}  // namespace ansatz
