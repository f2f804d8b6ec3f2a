// Sources of images made from others: decoded from files, resized.
#pragma once

#include <filesystem>
#include <vector>

#include "core/data/data_source.h"
#include "core/data/formats/decoded_image.h"

namespace ansatz {

enum class ImageCrop { whole, center };

/// The size that images are brought to.
struct ImageOptions {
  Index height = 0, width = 0;        ///< 0: as stored (image files: both needed)
  ImageCrop crop = ImageCrop::whole;  ///< image files: the part that is resized (core/data/formats/image_resize.h)
};

/// Row i: the image file paths[i], decoded by `read_image`, cropped and resized to options.height x width,
/// 3 channels. DataError if there is no reader, and naming the file if it cannot be read.
PartValues image_file_values(std::vector<std::filesystem::path> paths, const ImageReader& read_image,
                             const ImageOptions& options);

/// What decoding such files takes at a time, for the outline: from the headers of some of them, evenly spread.
double decoding_bytes(const std::vector<std::filesystem::path>& paths);

/// The same images brought to height x width (0: as they are), as they are read. DataError if the rows are no images.
DataSource resized(DataSource source, Index height, Index width);

}  // namespace ansatz
