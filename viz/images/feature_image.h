// Feature matrices as pixels: a d-vector laid out as an image of the data's shape, and a matrix as a heat map.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
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

/// Maps `values` (h x w) linearly from [low, high] to the palette; values outside are clipped, NaN is mid-grey. Where
/// low == high every value below, at and above it gets the first, middle and last colour.
Image colorize(const Matrix<double>& values, double low, double high, Palette palette);

/// Channel planes of a d-vector (channel, row, column): one h x w matrix a channel. DataError if shape.size() != d.
std::vector<Matrix<double>> planes(const Vector<double>& values, const ImageShape& shape);
/// Their mean, h x w.
Matrix<double> mean_plane(const Vector<double>& values, const ImageShape& shape);

/// Three channels as one RGB picture, joint min-max over all channels (as the authors' visualize_M); one channel:
/// viridis. Other channel counts: mean over channels, viridis. Not finite: mid-grey. DataError if shape.size() != d.
Image rgb_image(const Vector<double>& values, const ImageShape& shape);
/// The same with a range of one's own (clipped to it), so that several pictures share one scale.
Image rgb_image(const Vector<double>& values, const ImageShape& shape, double low, double high);

Image enlarge(const Image& image, int factor);  ///< nearest neighbour, crisp pixels
/// At most `height` x `width` pixels with the same aspect ratio, each the mean of those it covers; smaller images stay
/// as they are.
Image shrink_to_fit(const Image& image, int height, int width);

void write_png(const Image& image, const std::filesystem::path& path);  ///< whole or not at all; OutputError
/// An animated PNG (APNG) that loops; opens as the first frame where animation is not known. All frames of equal size,
/// at least one (DataError); 0.001 to 60 seconds a frame.
void write_animation(const std::vector<Image>& frames, double seconds_per_frame, const std::filesystem::path& path);

/// Pixels as stored: an EXIF orientation is not applied (neither do PIL and torchvision). Grey becomes RGB, alpha is
/// dropped. JPEG, PNG, BMP, WebP, TIFF, PNM, told by their first bytes, of at most kLargestPicture pixels. DataError
/// naming the file if it is missing, no image, too large, or if its decoder so much as warns of damage; MemoryError if
/// there is no room for it.
Image read_image(const std::filesystem::path& path);
/// The same as core's ImageReader wants it.
DecodedImage read_image_planes(const std::filesystem::path& path);
void set_threads(int threads);  ///< OpenCV's own; 1 in practice
std::string opencv_version();   ///< "4.6.0", for the manifest

}  // namespace ansatz::viz
