// Reads pictures from files. Damaged files are refused, and large ones wait until memory is free for them.
#include <fmt/format.h>

#include <array>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <opencv2/imgcodecs.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/data/formats/picture_size.h"
#include "core/files/files.h"
#include "core/machine/memory.h"
#include "viz/images/decoders.h"
#include "viz/images/pixels.h"

namespace ansatz::viz {
namespace {

namespace fs = std::filesystem;

/// The memory for decoding, shared by all threads: so many bytes at a time, or one picture that is larger.
class DecodingRoom {
 public:
  explicit DecodingRoom(double bytes) : bytes_(bytes) {
    std::unique_lock lock(mutex());
    changed().wait(lock, [&] { return taken() == 0 || taken() + bytes_ <= kDecodingRoom; });
    taken() += bytes_;
  }
  DecodingRoom(const DecodingRoom&) = delete;
  DecodingRoom& operator=(const DecodingRoom&) = delete;
  ~DecodingRoom() {
    {
      const std::lock_guard lock(mutex());
      taken() -= bytes_;
    }
    changed().notify_all();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::condition_variable& changed() {
    static std::condition_variable one;
    return one;
  }
  static double& taken() {
    static double bytes = 0;
    return bytes;
  }

  double bytes_;
};

/// As long as the object exists, what OpenCV writes to std::cerr about a file that it cannot decode is dropped: our
/// error says it.
class QuietOpenCv {
 public:
  QuietOpenCv() : lock_(mutex()), before_(std::cerr.rdbuf(nowhere_.rdbuf())) {}
  ~QuietOpenCv() {
    std::cerr.rdbuf(before_);
    std::cerr.clear();
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  std::ostringstream nowhere_;
  std::streambuf* before_;
};

Image decode_by_opencv(std::string_view bytes) {
  const QuietOpenCv quiet;
  cv::Mat bgr;
  try {
    const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    bgr = cv::imdecode(buffer, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  } catch (const cv::Exception& e) {
    throw DataError(e.err);
  }
  if (bgr.empty()) throw DataError("it is damaged or cut short, or of a kind that is not read");
  return from_bgr(bgr);
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}

/// Whether pixels are packed by run lengths. Such a file cannot be checked for missing bytes.
bool packed_by_run_lengths(std::string_view bytes, const PictureHeader& header) {
  constexpr std::uint32_t kRunLengths8 = 1, kRunLengths4 = 2;
  if (header.format != PictureFormat::bmp || bytes.size() < 54 || little_endian(bytes, 14, 4) == 12) return false;
  const std::uint32_t packing = little_endian(bytes, 30, 4);
  return packing == kRunLengths8 || packing == kRunLengths4;
}

/// Decodes a BMP. If its pixels are not packed, the size of the file follows from its header and is checked.
Image decode_bmp(std::string_view bytes, const PictureHeader& header) {
  const bool old = little_endian(bytes, 14, 4) == 12;
  if (bytes.size() < 54 && !old) throw DataError("the file is cut short");
  const std::uint32_t bits = little_endian(bytes, old ? 24 : 28, 2);
  const Index row_bytes = (header.width * bits + 31) / 32 * 4;
  const Index needed = little_endian(bytes, 10, 4) + row_bytes * header.height;
  if (static_cast<Index>(bytes.size()) < needed) throw DataError("the file is cut short");
  return decode_by_opencv(bytes);
}

/// Decodes a WebP, whose header says how long the file is.
Image decode_webp(std::string_view bytes) {
  if (bytes.size() - 8 < little_endian(bytes, 4, 4)) throw DataError("the file is cut short");
  return decode_by_opencv(bytes);
}

Image decode(std::string_view bytes, const PictureHeader& header) {
  switch (header.format) {
    case PictureFormat::jpeg:
      return decode_jpeg(bytes);
    case PictureFormat::png:
      return decode_png(bytes);
    case PictureFormat::bmp:
      return decode_bmp(bytes, header);
    case PictureFormat::webp:
      return decode_webp(bytes);
    case PictureFormat::tiff:
    case PictureFormat::pnm:
      break;
  }
  return decode_by_opencv(bytes);
}

PictureHeader checked_header(const fs::path& path, std::string_view bytes) {
  if (bytes.empty()) throw DataError(path.string() + ": the file is empty; an image is needed");
  const std::optional<PictureHeader> header = picture_header(bytes);
  if (!header)
    throw DataError(path.string() + ": not an image that can be read (JPEG, PNG, BMP, WebP, TIFF, PNM), or damaged");
  if (header->height < 1 || header->width < 1)
    throw DataError(path.string() + ": damaged or cut short: its header states no size; copy it again");
  if (header->height > kLargestPicture / header->width) {
    throw DataError(
        fmt::format("{}: its header says {} x {} pixels; pictures of more than {} are not decoded: shrink it",
                    path.string(), header->height, header->width, kLargestPicture));
  }
  if (packed_by_run_lengths(bytes, *header))
    throw DataError(path.string() +
                    ": a BMP packed by run lengths is not read, as nothing tells whether it is whole; "
                    "save it as PNG");
  return *header;
}

/// Returns what `use` makes of the picture's pixels. Waits until there is memory for decoding and for `use`.
template <class Use>
auto with_picture(const fs::path& path, const Use& use) {
  const std::string bytes = read_file(path);
  const PictureHeader header = checked_header(path, bytes);
  const double needed = decoding_bytes(header);
  const DecodingRoom room(needed);
  if (needed > kDecodingRoom) require_memory(needed, path.string() + ": decoding it");
  try {
    return use(decode(bytes, header));
  } catch (const DataError& e) {
    throw DataError(path.string() + ": damaged or cut short (" + e.what() + "); copy it again");
  }
}

DecodedImage to_planes(const Image& image) {
  std::array<float, 256> value;
  for (std::size_t v = 0; v < value.size(); ++v) value[v] = static_cast<float>(v) * static_cast<float>(1.0 / 255);
  DecodedImage out{{3, image.height, image.width}, std::vector<float>(image.rgb.size())};
  const std::size_t pixels = image.rgb.size() / 3;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < pixels; ++i) out.planes[c * pixels + i] = value[image.rgb[3 * i + c]];
  return out;
}

}  // namespace

Image read_image(const fs::path& path) {
  return with_picture(path, [](Image image) { return image; });
}

DecodedImage read_image_planes(const fs::path& path) { return with_picture(path, to_planes); }

}  // namespace ansatz::viz
