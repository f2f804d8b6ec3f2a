// A folder of images, one sub-folder a class.
#pragma once

#include <filesystem>

#include "core/data/formats/image_source.h"
#include "core/data/row_source.h"

namespace ansatz {

/// Images are in folder/<class>/, or in folder/train/<class>/ and folder/test/<class>/. Classes are sorted by name.
/// Images end in jpg, png, bmp, webp, tif, pnm or another spelling of these, in any case; a warning counts other files.
/// Drawn images are read by `read_image`, from several threads, and resized to image.height x width. Throws DataError
/// naming the folder or file if there are no classes, if a class has no images, or if an image cannot be read.
RowSource open_image_folder(const std::filesystem::path& folder, const ImageOptions& image,
                            const ImageReader& read_image);

}  // namespace ansatz
