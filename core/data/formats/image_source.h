// Image sources that decode image files, or that resize the images of another source.
#pragma once

#include <filesystem>
#include <vector>

#include "core/data/formats/decoded_image.h"
#include "core/data/row_source.h"

namespace ansatz {

enum class ImageCrop { whole, center };

/// The size to which images are brought.
struct ImageOptions {
  Index height = 0, width = 0;        ///< 0: as stored (image files: both needed)
  ImageCrop crop = ImageCrop::whole;  ///< image files: the part that is resized (core/data/formats/image_resize.h)
};

/// Row i: the image file paths[i], decoded by `read_image`, cropped and resized to options.height x width,
/// 3 channels. DataError if there is no reader, and naming the file if it cannot be read.
PartValues image_file_values(std::vector<std::filesystem::path> paths, const ImageReader& read_image,
                             const ImageOptions& options);

/// The memory that decoding such files takes at a time, estimated from the headers of some of them, evenly spread. For
/// the outline.
double decoding_bytes(const std::vector<std::filesystem::path>& paths);

/// The same images, resized to height x width when they are read (0: left as they are). DataError if rows are not
/// images.
RowSource resized(RowSource source, Index height, Index width);

}  // namespace ansatz
