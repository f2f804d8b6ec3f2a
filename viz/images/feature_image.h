// Feature matrices as pixels: a d-vector laid out as an image of the data's shape, and a matrix as a heat map.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/data/formats/decoded_image.h"
#include "core/features/feature_matrix.h"

namespace ansatz::viz {

/// A plain RGB pixel buffer, row by row.
struct Image {
  int height = 0, width = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * height * width
};

enum class Palette { viridis, cividis, diverging, gray };  ///< diverging: blue-white-red, 0 in the middle

/// Maps `values` (h x w) linearly from [low, high] to the palette. Values outside are clipped, NaN is mid-grey. If
/// low == high, values below, at and above it get the first, middle and last colour.
Image colorize(const Matrix<double>& values, double low, double high, Palette palette);

/// The channels of a d-vector (channel, row, column), one h x w matrix each. DataError if shape.size() != d.
std::vector<Matrix<double>> planes(const Vector<double>& values, const ImageShape& shape);
/// The mean of the channels, h x w.
Matrix<double> mean_plane(const Vector<double>& values, const ImageShape& shape);

/// Three channels become one RGB picture, scaled to the minimum and maximum over all channels (as the authors'
/// visualize_M does). One channel, or the mean of any other number of channels, is drawn in viridis. Values that are
/// not finite are mid-grey. DataError if shape.size() != d.
Image rgb_image(const Vector<double>& values, const ImageShape& shape);
/// The same with a given range, to which values are clipped, so that several pictures can share one scale.
Image rgb_image(const Vector<double>& values, const ImageShape& shape, double low, double high);

Image enlarge(const Image& image, int factor);  ///< nearest neighbour, crisp pixels
/// At most `height` x `width` pixels with the same aspect ratio, each the mean of those it covers; smaller images stay
/// as they are.
Image shrink_to_fit(const Image& image, int height, int width);

void write_png(const Image& image, const std::filesystem::path& path);  ///< whole or not at all; OutputError
/// Writes an animated PNG (APNG) that loops. Programs that do not know APNG show the last frame. There must be at
/// least one frame, all frames must be of equal size (DataError), and a frame lasts 0.001 to 60 seconds.
void write_animation(const std::vector<Image>& frames, double seconds_per_frame, const std::filesystem::path& path);

/// What such a file, given as its bytes, shows where nothing moves: a plain PNG. Empty if the PNG is not animated;
/// DataError if it is not whole.
std::string still_of(std::string_view png);

/// Reads JPEG, PNG, BMP, WebP, TIFF or PNM, recognised by their first bytes, of at most kLargestPicture pixels. Pixels
/// come as stored: an EXIF orientation is not applied, as in PIL and torchvision. Grey becomes RGB, alpha is dropped.
/// Throws DataError naming the file if it is missing, not an image, too large, or if its decoder even warns of damage;
/// MemoryError if there is not enough memory.
Image read_image(const std::filesystem::path& path);
/// The same, in the form of core's ImageReader.
DecodedImage read_image_planes(const std::filesystem::path& path);
void set_threads(int threads);  ///< OpenCV's own; 1 in practice
std::string opencv_version();   ///< "4.6.0", for the manifest

}  // namespace ansatz::viz
