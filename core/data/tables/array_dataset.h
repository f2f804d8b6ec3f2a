// "Bring your own arrays": inputs and targets as .npy files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/formats/image_layout.h"
#include "core/data/row_source.h"

namespace ansatz {

/// The files, and what they cannot say: the shape of images, or the names of the features.
struct ArrayOptions {
  std::filesystem::path train_inputs, train_targets, validation_inputs, validation_targets, test_inputs, test_targets;
  std::optional<ImageShape> image_shape;  ///< of d values; absent: the shape of an n x c x h x w array
  ImageLayout image_layout = ImageLayout::automatic;
  std::vector<std::string> feature_names;    ///< d, or none
  std::filesystem::path feature_names_file;  ///< in their place: a text file with a name a line
};

/// Inputs are n x d. Arrays of n x h x w, n x c x h x w and n x h x w x c (core/data/formats/image_layout.h) are
/// flattened channel, row, column and, without options.image_shape, taken as images. Targets of a regression are n or n
/// x c numbers, taken as they are. Targets of a classification may be
/// - n whole numbers (or n x 1, unless they are 0 and 1): class labels of up to 64 bits, named by their values. If they
///   start at 0 and at least half of the values up to the largest occur, the classes are 0 to the largest, as in
///   PyTorch, and a warning names those that do not occur. Otherwise (-1 and 1, 1 to k, 0 and 255) the classes are the
///   values that occur, sorted;
/// - n x 1 numbers that are 0 or 1: a single output, as it is;
/// - n x c: one-hot.
/// Features that are not pixels may have names. Values are read in double. Throws DataError naming file, row and column
/// (counted from 0) for shapes that do not agree, values that are not finite, rows that are not one-hot, and labels
/// that are not whole numbers.
RowSource open_arrays(const ArrayOptions& options, Task task);

}  // namespace ansatz
