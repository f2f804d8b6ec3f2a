#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "viz/images/feature_image.h"

namespace ansatz::viz {
namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color kNotANumber = {128, 128, 128};

std::array<Color, 256> opencv_table(int color_map) {
  cv::Mat ramp(256, 1, CV_8U), bgr;
  for (int i = 0; i < 256; ++i) ramp.at<std::uint8_t>(i) = static_cast<std::uint8_t>(i);
  cv::applyColorMap(ramp, bgr, color_map);
  std::array<Color, 256> table;
  for (int i = 0; i < 256; ++i) {
    const cv::Vec3b c = bgr.at<cv::Vec3b>(i);
    table[i] = {c[2], c[1], c[0]};
  }
  return table;
}

/// ColorBrewer's RdBu, reversed, which can be distinguished with every common colour-vision deficiency. The number of
/// colours is odd, so that 0 is exactly the middle one.
Color diverging_color(double t) {
  static constexpr double stops[11][3] = {{5, 48, 97},     {33, 102, 172},  {67, 147, 195},  {146, 197, 222},
                                          {209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {244, 165, 130},
                                          {214, 96, 77},   {178, 24, 43},   {103, 0, 31}};
  const int i = std::min(9, static_cast<int>(10 * t));
  const double f = 10 * t - i;
  Color c;
  for (int k = 0; k < 3; ++k)
    c[k] = static_cast<std::uint8_t>(std::lround((1 - f) * stops[i][k] + f * stops[i + 1][k]));
  return c;
}

Color color_at(double t, Palette palette) {
  static const std::array<Color, 256> viridis = opencv_table(cv::COLORMAP_VIRIDIS);
  static const std::array<Color, 256> cividis = opencv_table(cv::COLORMAP_CIVIDIS);
  const auto level = static_cast<std::uint8_t>(std::lround(255 * t));
  switch (palette) {
    case Palette::viridis:
      return viridis[level];
    case Palette::cividis:
      return cividis[level];
    case Palette::diverging:
      return diverging_color(t);
    case Palette::gray:
      break;
  }
  return {level, level, level};
}

/// Where `value` lies between low (0) and high (1). Computed with halves, because the distance of two doubles can be
/// larger than any double.
double position(double value, double low, double high) {
  const double half_range = high / 2 - low / 2;
  if (!(half_range > 0)) return value < low ? 0 : value > low ? 1 : 0.5;
  return std::clamp((value / 2 - low / 2) / half_range, 0.0, 1.0);
}

}  // namespace

Image colorize(const Matrix<double>& values, double low, double high, Palette palette) {
  Image image{static_cast<int>(values.rows()), static_cast<int>(values.cols()), {}};
  image.rgb.reserve(3 * static_cast<std::size_t>(values.size()));
  for (Index i = 0; i < values.size(); ++i) {
    const double value = values.data()[i];
    const Color c = std::isnan(value) ? kNotANumber : color_at(position(value, low, high), palette);
    image.rgb.insert(image.rgb.end(), c.begin(), c.end());
  }
  return image;
}

}  // namespace ansatz::viz
