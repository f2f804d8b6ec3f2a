// Which dimension of an array of images holds the channels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/table_rows.h"

namespace ansatz {

enum class ImageLayout { automatic, channels_first, channels_last };

struct ArrayImages {
  std::optional<ImageShape> shape;  ///< none: the rows are no images
  bool channels_last = false;  ///< rows are flattened height, width, channel, as Pillow and TensorFlow store images
};

/// What an array of this shape (n first) holds, from its dimensions, `given` (the shape of an image, or none) and
/// `layout`. Automatic: of n x a x b x c, the channels are what makes the given shape; without one, c if it is 1, 3 or
/// 4 and a is not, else a. Throws DataError with the way out, naming the array `name`, if that is ambiguous or
/// contradicts `given`.
ArrayImages images_of(const std::vector<Index>& array, const std::optional<ImageShape>& given, ImageLayout layout,
                      const std::string& name);

/// Rows that are flattened height, width, channel as channel, height, width. Places are still those of the file.
TableRows with_channels_first(TableRows table, const ImageShape& shape);

}  // namespace ansatz
