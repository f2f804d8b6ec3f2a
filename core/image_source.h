// Sources of images made from others: decoded from files, resized.
#pragma once

#include <filesystem>
#include <vector>

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// Row i: the image file paths[i], decoded by `read_image`, cropped and resized to options.image_height x image_width,
/// 3 channels. DataError if there is no reader, and naming the file if it cannot be read.
template <class Scalar>
PartValues<Scalar> image_file_values(std::vector<std::filesystem::path> paths, const ImageReader& read_image,
                                     const DatasetOptions& options);

/// What decoding such files takes at a time, for the outline: from the headers of some of them, evenly spread.
double decoding_bytes(const std::vector<std::filesystem::path>& paths);

/// The same images brought to height x width (0: as they are), as they are read. DataError if the rows are no images.
template <class Scalar>
DataSource<Scalar> resized(DataSource<Scalar> source, Index height, Index width);

}  // namespace ansatz
