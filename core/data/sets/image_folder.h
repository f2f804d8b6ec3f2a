// A folder of images, one sub-folder a class.
#pragma once

#include <filesystem>

#include "core/data/data_source.h"
#include "core/data/formats/image_source.h"

namespace ansatz {

/// folder/<class>/*.{jpg,png,bmp,webp,tif,pnm} and their other spellings (any case; a warning counts what else lies
/// there), or folder/train/<class>/... and folder/test/<class>/...; classes
/// sorted by name. Each drawn image is read by `read_image`, from several threads, resized to image.height x width.
/// Throws DataError naming the folder or file: no classes, a class without images, an image that cannot be read.
DataSource open_image_folder(const std::filesystem::path& folder, const ImageOptions& image,
                             const ImageReader& read_image);

}  // namespace ansatz
