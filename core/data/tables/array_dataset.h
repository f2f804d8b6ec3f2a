// "Bring your own arrays": inputs and targets as .npy files.
#pragma once

#include <filesystem>
#include <optional>

#include "core/data/data_source.h"

namespace ansatz {

/// The files, and what the values are where a file does not say it.
struct ArrayOptions {
  std::filesystem::path train_inputs, train_targets, validation_inputs, validation_targets, test_inputs, test_targets;
  std::optional<ImageShape> image_shape;  ///< of d values; absent: the shape of an n x c x h x w array
};

/// Inputs n x d; n x h x w and n x c x h x w are flattened and, without options.image_shape, taken as images; n x h x w
/// x c is refused. Targets:
///   regression      n or n x c numbers, as they are
///   classification  n whole numbers: class labels, named by their values. Labels that start at 0 are classes 0 to the
///                   largest (as in PyTorch; a warning names those that do not occur), if at least half of them
///                   occur; any others (-1 and 1, 1 to k, 0 and 255) are the values that occur, sorted. n x 1 of 0 and
///                   1: a single output, as it is. n x 1 otherwise: labels. n x c: one-hot
/// Labels are whole numbers of up to 64 bits, each its own class. Values are read in double. Throws DataError naming
/// file, row and column (counted from 0): shapes that do not agree, values that are not finite, rows that are not
/// one-hot, labels that are no whole numbers.
DataSource open_arrays(const ArrayOptions& options, Task task);

}  // namespace ansatz
