#include "viz/images/feature_image.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "core/base/error.h"
#include "viz/images/pixels.h"

namespace ansatz::viz {
namespace {

/// Smallest and largest finite value; (0, 0) if there is none.
std::pair<double, double> finite_range(const Vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return low <= high ? std::pair(low, high) : std::pair(0.0, 0.0);
}

cv::Mat resized(const cv::Mat& image, int height, int width) {
  if (image.rows == height && image.cols == width) return image;
  cv::Mat out;
  const bool shrinks = height <= image.rows && width <= image.cols;
  cv::resize(image, out, cv::Size(width, height), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  return out;
}

Image three_channels(const std::vector<Matrix<double>>& rgb, double low, double high) {
  const auto height = static_cast<int>(rgb[0].rows()), width = static_cast<int>(rgb[0].cols());
  Image image{height, width, std::vector<std::uint8_t>(3 * static_cast<std::size_t>(rgb[0].size()))};
  for (int c = 0; c < 3; ++c) {
    const Image plane = colorize(rgb[c], low, high, Palette::gray);
    for (std::size_t i = c; i < image.rgb.size(); i += 3) image.rgb[i] = plane.rgb[i];
  }
  return image;
}

}  // namespace

cv::Mat to_bgr(const Image& image) {
  const cv::Mat rgb(image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
  cv::Mat bgr;
  cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
  return bgr;
}

Image from_bgr(const cv::Mat& bgr) {
  cv::Mat rgb;
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  return {rgb.rows, rgb.cols, std::vector<std::uint8_t>(rgb.datastart, rgb.dataend)};
}

std::vector<Matrix<double>> planes(const Vector<double>& values, const ImageShape& shape) {
  if (shape.channels < 1 || shape.height < 1 || shape.width < 1 || shape.size() != values.size())
    throw DataError("a vector of " + std::to_string(values.size()) + " entries is no image of " +
                    std::to_string(shape.channels) + " x " + std::to_string(shape.height) + " x " +
                    std::to_string(shape.width) + " (channels x height x width); correct image_shape");
  std::vector<Matrix<double>> out;
  const Index size = shape.height * shape.width;
  for (Index c = 0; c < shape.channels; ++c)
    out.emplace_back(Eigen::Map<const Matrix<double>>(values.data() + c * size, shape.height, shape.width));
  return out;
}

Matrix<double> mean_plane(const Vector<double>& values, const ImageShape& shape) {
  const std::vector<Matrix<double>> channels = planes(values, shape);
  Matrix<double> mean = channels.front();
  for (std::size_t c = 1; c < channels.size(); ++c) mean += channels[c];
  return mean / static_cast<double>(channels.size());
}

Image rgb_image(const Vector<double>& values, const ImageShape& shape, double low, double high) {
  if (shape.channels == 3) return three_channels(planes(values, shape), low, high);
  return colorize(mean_plane(values, shape), low, high, Palette::viridis);
}

Image rgb_image(const Vector<double>& values, const ImageShape& shape) {
  Vector<double> shown = values;
  if (shape.channels != 3) {
    const Matrix<double> mean = mean_plane(values, shape);
    shown = Eigen::Map<const Vector<double>>(mean.data(), mean.size());
  }
  const auto [low, high] = finite_range(shown);
  return rgb_image(values, shape, low, high);
}

Image enlarge(const Image& image, int factor) {
  if (factor < 1) throw DataError("enlarge: the factor must be at least 1, is " + std::to_string(factor));
  cv::Mat out;
  cv::resize(to_bgr(image), out, cv::Size(), factor, factor, cv::INTER_NEAREST);
  return from_bgr(out);
}

Image shrink_to_fit(const Image& image, int height, int width) {
  const double scale = std::min(static_cast<double>(height) / image.height, static_cast<double>(width) / image.width);
  if (scale >= 1) return image;
  const auto side = [scale](int pixels) { return std::max(1, static_cast<int>(std::lround(scale * pixels))); };
  return from_bgr(resized(to_bgr(image), side(image.height), side(image.width)));
}

void set_threads(int threads) { cv::setNumThreads(threads); }

std::string opencv_version() { return cv::getVersionString(); }

}  // namespace ansatz::viz
