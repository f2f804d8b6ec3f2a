// CIFAR-10's binary version: records of a label byte and 3 x 32 x 32 pixel bytes.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"

namespace ansatz {

/// The files, alternatives separated by '|' (any one of the training batches will do).
std::vector<std::string> cifar10_files();

/// Images of 3 x 32 x 32 (channel, row, column), divided by 255. batches.meta.txt names the classes; without it they
/// have CIFAR-10's own names. Uses those training batches that are there. Throws DataError naming the file if its size
/// is not a multiple of 3073 or a label is above 9.
RowSource open_cifar10(const std::filesystem::path& folder);

}  // namespace ansatz
