// A folder of images, one sub-folder a class.
#pragma once

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// path/<class>/*.{jpg,jpeg,png,bmp} (any case), or path/train/<class>/... and path/test/<class>/...; classes sorted by
/// name. Each drawn image is read by `read_image`, from several threads, resized to options.image_height x image_width.
/// Throws DataError naming the folder or file: no classes, a class without images, an image that cannot be read.
template <class Scalar>
DataSource<Scalar> open_image_folder(const DatasetOptions& options, const ImageReader& read_image);

}  // namespace ansatz
