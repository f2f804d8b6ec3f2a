// The idx files of MNIST and its relatives: big-endian header, then bytes; plain or gzipped.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/row_source.h"

namespace ansatz {

/// The four file names, alternatives separated by '|': train images and labels, test images and labels.
std::vector<std::string> idx_files();

/// The data set `name` in a folder: images (magic 2051) n x (height * width), divided by 255, and labels (magic 2049).
/// If `class_names` is empty, classes are named "0" to the largest label. Throws DataError naming the file if it is
/// missing or truncated, has a wrong magic or a label beyond the class names, or if there are not as many labels as
/// images.
RowSource open_idx(const std::string& name, const std::filesystem::path& folder,
                   const std::vector<std::string>& class_names);

/// The same with MNIST's class names.
RowSource open_mnist(const std::filesystem::path& folder);

}  // namespace ansatz
