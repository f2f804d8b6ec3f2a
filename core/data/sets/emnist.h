// EMNIST: handwritten digits and letters in MNIST's format, distributed as six sets whose files lie side by side.
#pragma once

#include "core/data/sets/idx.h"

namespace ansatz {

/// The files of "emnist_letters" and so on, as idx_files(): emnist-letters-train-images-idx3-ubyte, ...
std::vector<std::string> emnist_files(const std::string& name);

/// As open_idx(). Classes have the names of the set's mapping file; where it maps a label to both cases of a letter,
/// that of the capital. The files hold the images transposed; here they stand upright, as MNIST's.
RowSource open_emnist(const std::string& name, const std::filesystem::path& folder);

}  // namespace ansatz
