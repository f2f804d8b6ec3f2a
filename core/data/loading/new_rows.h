// Files of rows that a fitted model is asked about: without targets, and each row to be answered.
#pragma once

#include <filesystem>
#include <optional>

#include "core/data/dataset.h"
#include "core/data/transform/input_transform.h"

namespace ansatz {

/// The rows of `path` as inputs of a model, b x d: what the training file's rows became by `transform`.
/// - A .npy array of n x d values as the data set's own rows are before they are scaled. Pixels go from 0 to 1; bytes
///   (uint8) are divided by 255. With an `image_shape`, n x c x h x w will do.
/// - Where the model was trained on a text table, a CSV file (plain or gzipped) with the same columns in any order.
///   Others, but for the target, are named in a warning.
/// - Where it was trained on texts, a file of texts like that one, with labels or without: a row a text.
/// Throws DataError naming the file and the place: another number of columns, dimensions in another order, a column
/// that is not there, a category that no training row had, a missing value where none was filled in for training, a
/// value that is not finite, pixels out of range.
template <class Scalar>
Matrix<Scalar> read_new_rows(const std::filesystem::path& path, const InputTransform& transform, Index dimension,
                             const std::optional<ImageShape>& image_shape);

}  // namespace ansatz
