#include "core/data/formats/image_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/data/formats/image_resize.h"
#include "core/data/formats/picture_size.h"
#include "core/files/files.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

DecodedImage decode(const fs::path& path, const ImageReader& read_image) {
  DecodedImage image;
  try {
    image = read_image(path);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    const std::string what = e.what();
    throw DataError(
        what.find(path.string()) == std::string::npos ? path.string() + ": cannot be read as an image: " + what : what);
  }
  if (image.shape.channels != 3 || std::min(image.shape.height, image.shape.width) < 1 ||
      static_cast<Index>(image.planes.size()) != image.shape.size()) {
    throw DataError(fmt::format("{}: decoded to {} values, which are not 3 planes of {} x {}", path.string(),
                                image.planes.size(), image.shape.height, image.shape.width));
  }
  return image;
}

PartValues resized_part(PartValues values, const ImageShape& shape, const ImageResizer& resize) {
  PartValues result;
  result.targets = std::move(values.targets);
  result.read_row = row_reader([read = std::move(values.read_row), shape, resize](Index row, auto* out) {
    std::vector<std::decay_t<decltype(*out)>> image(static_cast<std::size_t>(shape.size()));
    read(row, image.data());
    resize(image.data(), out);
  });
  return result;
}

}  // namespace

PartValues image_file_values(std::vector<fs::path> paths, const ImageReader& read_image, const ImageOptions& options) {
  if (!read_image) throw DataError("image files need an image decoder, which this program was built without");
  PartValues values;
  values.read_row = row_reader([paths = std::move(paths), read_image, height = options.height, width = options.width,
                                crop = options.crop == ImageCrop::center](Index row, auto* out) {
    const DecodedImage image = decode(paths[static_cast<std::size_t>(row)], read_image);
    const ImageResizer resize(image.shape, height, width, crop);
    std::vector<float> pixels(static_cast<std::size_t>(resize.output().size()));
    resize(image.planes.data(), pixels.data());
    std::copy(pixels.begin(), pixels.end(), out);
  });
  return values;
}

double decoding_bytes(const std::vector<fs::path>& paths) {
  constexpr std::size_t kLooked = 64;
  double largest = 0;
  for (std::size_t i = 0; i < std::min(kLooked, paths.size()); ++i) {
    const fs::path& path = paths[i * paths.size() / std::min(kLooked, paths.size())];
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;  // if it is drawn, that is an error then
    const auto header = picture_header(read_file(path));
    if (header && header->width > 0 && header->height <= kLargestPicture / header->width)  // larger ones are refused
      largest = std::max(largest, decoding_bytes(*header));
  }
  return std::max(largest, std::min(largest * threads(), kDecodingRoom));
}

RowSource resized(RowSource source, Index height, Index width) {
  DataOutline& outline = source.outline;
  const bool asked = height > 0 || width > 0;
  if (asked && !outline.image_shape) {
    throw DataError(outline.name + ": `image_height` and `image_width` resize images, but these rows are none");
  }
  if (!asked) return source;
  const ImageShape from = *outline.image_shape;
  const ImageResizer resize(from, height > 0 ? height : from.height, width > 0 ? width : from.width);
  if (resize.output() == from) return source;
  outline.image_shape = resize.output();
  outline.dimension = outline.image_shape->size();
  outline.notes.push_back(fmt::format("images of {} x {} resized to {} x {} (height x width)", from.height, from.width,
                                      outline.image_shape->height, outline.image_shape->width));
  source.read = [read = std::move(source.read), from, resize](const WantedRows& wanted) {
    DataValues values = read(wanted);
    return DataValues{resized_part(std::move(values.train), from, resize),
                      resized_part(std::move(values.validation), from, resize),
                      resized_part(std::move(values.test), from, resize)};
  };
  return source;
}

}  // namespace ansatz
