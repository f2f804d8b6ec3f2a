// Pictures from files: the pixels OpenCV gives, and no picture from a file that is damaged.
#include <unistd.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/data/formats/picture_size.h"
#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "viz/images/feature_image.h"

using namespace ansatz;
using namespace ansatz::viz;

namespace {

/// A photograph-like picture: smooth, with edges and noise.
cv::Mat scene(int height, int width, int type = CV_8UC3) {
  cv::Mat picture(height, width, type);
  cv::RNG random(7);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < picture.channels(); ++c) {
        const double value = 120 + 60 * std::sin(0.11 * x + c) + 40 * ((x / 9 + y / 7) % 2) + random.gaussian(8);
        if (picture.depth() == CV_16U)
          picture.ptr<std::uint16_t>(y)[picture.channels() * x + c] = cv::saturate_cast<std::uint16_t>(257 * value);
        else
          picture.ptr<std::uint8_t>(y)[picture.channels() * x + c] = cv::saturate_cast<std::uint8_t>(value);
      }
    }
  }
  return picture;
}

std::string encoded(const std::string& extension, const cv::Mat& picture, const std::vector<int>& options = {}) {
  std::vector<std::uint8_t> bytes;
  cv::imencode(extension, picture, bytes, options);
  return {bytes.begin(), bytes.end()};
}

class PictureFile {
 public:
  explicit PictureFile(const std::string& name) : path_(folder_ / name) {}
  const std::filesystem::path& path() const { return path_; }

  PictureFile& operator=(const std::string& bytes) {
    write_bytes(path_, bytes);
    return *this;
  }
  std::string complaint() const {
    return message_of<DataError>([&] { read_image_planes(path_); });
  }
  /// Every value as OpenCV decodes it, as bytes and as planes.
  bool is_as_opencv_reads_it() const {
    const std::string bytes = read_bytes(path_);
    const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    cv::Mat bgr = cv::imdecode(buffer, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION), rgb, unit, plane;
    cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
    bgr.convertTo(unit, CV_32F, 1.0 / 255);
    const Image image = read_image(path_);
    const DecodedImage decoded = read_image_planes(path_);
    bool same = image.height == rgb.rows && image.width == rgb.cols &&
                std::equal(image.rgb.begin(), image.rgb.end(), rgb.datastart, rgb.dataend);
    for (int c = 0; c < 3; ++c) {
      cv::extractChannel(unit, plane, 2 - c);
      const auto begin = decoded.planes.begin() + static_cast<std::ptrdiff_t>(plane.total()) * c;
      same = same && std::equal(plane.begin<float>(), plane.end<float>(), begin);
    }
    return same;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

/// What is written to stderr while it lives, by whichever library.
class CapturedStderr {
 public:
  explicit CapturedStderr(const std::filesystem::path& file) : before_(::dup(2)) {
    std::fflush(stderr);
    std::FILE* const target = std::fopen(file.c_str(), "w");
    ::dup2(::fileno(target), 2);
    std::fclose(target);
  }
  ~CapturedStderr() {
    std::fflush(stderr);
    ::dup2(before_, 2);
    ::close(before_);
  }

 private:
  int before_;
};

/// A JPEG within a JPEG: the thumbnail that cameras put in front (APP1), with an end mark of its own.
std::string with_thumbnail(const std::string& jpeg) {
  const std::string thumbnail = encoded(".jpg", scene(40, 60));
  const std::size_t length = 2 + 6 + thumbnail.size();
  std::string segment("\xFF\xE1", 2);
  segment += {static_cast<char>(length >> 8), static_cast<char>(length & 255)};
  segment += std::string("Exif\0\0", 6) + thumbnail;
  return jpeg.substr(0, 2) + segment + jpeg.substr(2);
}

}  // namespace

TEST_CASE("JPEG and PNG files give the pixels that OpenCV gives") {
  PictureFile file("picture");
  const cv::Mat color = scene(61, 83), gray = scene(61, 83, CV_8UC1);
  for (const int progressive : {0, 1}) {
    for (const int quality : {30, 95, 100}) {
      const std::vector<int> options{cv::IMWRITE_JPEG_QUALITY, quality, cv::IMWRITE_JPEG_PROGRESSIVE, progressive};
      file = encoded(".jpg", color, options);
      CHECK(file.is_as_opencv_reads_it());
      file = encoded(".jpg", gray, options);
      CHECK(file.is_as_opencv_reads_it());
    }
  }
  file = with_thumbnail(encoded(".jpg", color));
  CHECK(file.is_as_opencv_reads_it());
  for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4}) {
    INFO("type " << type);
    file = encoded(".png", scene(61, 83, type));
    CHECK(file.is_as_opencv_reads_it());
  }
  cv::Mat bilevel;
  cv::threshold(gray, bilevel, 128, 255, cv::THRESH_BINARY);
  file = encoded(".png", bilevel, {cv::IMWRITE_PNG_BILEVEL, 1});
  CHECK(file.is_as_opencv_reads_it());
  for (const char* extension : {".bmp", ".tiff", ".webp", ".ppm"}) {
    INFO(extension);
    file = encoded(extension, color);
    CHECK(file.is_as_opencv_reads_it());
  }
}

TEST_CASE("a JPEG with a thumbnail that is cut short is refused, wherever it is cut") {
  PictureFile file("camera.jpg");
  for (const int progressive : {0, 1}) {
    const std::string whole =
        with_thumbnail(encoded(".jpg", scene(200, 300), {cv::IMWRITE_JPEG_PROGRESSIVE, progressive}));
    file = whole;
    CHECK(file.complaint().empty());
    for (const double share : {0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.999}) {
      INFO(share);
      file = whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
      CHECK(contains(file.complaint(), file.path().string() + ": damaged or cut short"));
    }
    file = whole.substr(0, whole.size() - 2);  // the end mark alone
    CHECK(contains(file.complaint(), file.path().string() + ": damaged or cut short"));
  }
}

// JPEG has no checksum: what is noticed is that the scan ends too early or too late.
TEST_CASE("a JPEG that lost bytes of its scan is refused") {
  PictureFile file("gap.jpg");
  const std::string whole = encoded(".jpg", scene(400, 600));
  for (const std::size_t lost : {1000, 3000, 9000}) {
    for (const double place : {0.1, 0.3, 0.5, 0.7, 0.85}) {
      std::string gap = whole;
      gap.erase(static_cast<std::size_t>(place * static_cast<double>(whole.size())), lost);
      file = gap;
      INFO(lost << " bytes at " << place);
      CHECK(contains(file.complaint(), "gap.jpg: damaged or cut short (Corrupt JPEG data: "));
      file = with_thumbnail(gap);
      CHECK(contains(file.complaint(), "gap.jpg: damaged or cut short (Corrupt JPEG data: "));
    }
  }
}

TEST_CASE("a BMP packed by run lengths is refused, whole or not") {
  std::string bytes = "BM" + std::string(52, '\0');
  bytes[10] = 54, bytes[14] = 40, bytes[18] = 4, bytes[22] = 4, bytes[26] = 1, bytes[28] = 8, bytes[30] = 1;
  PictureFile file("a.bmp");
  file = bytes + std::string("\x04\x07", 2);
  CHECK(contains(file.complaint(), "packed by run lengths is not read"));
}

TEST_CASE("PNG, BMP, TIFF, WebP and PPM files that are cut short are refused, and only we say so") {
  const TemporaryFolder scratch;
  PictureFile file("cut");
  {
    const CapturedStderr captured(scratch / "stderr");
    for (const char* extension : {".png", ".bmp", ".tiff", ".webp", ".ppm"}) {
      const std::string whole = encoded(extension, scene(120, 90));
      for (const double share : {0.01, 0.1, 0.5, 0.9, 0.99}) {
        INFO(extension << " " << share);
        file = whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size())));
        CHECK(contains(file.complaint(), file.path().string() + ": "));
      }
    }
  }
  CHECK(read_bytes(scratch / "stderr").empty());
}

TEST_CASE("a flipped bit in a PNG is refused") {
  PictureFile file("flipped.png");
  const std::string whole = encoded(".png", scene(40, 50));
  for (std::size_t at = 8; at < whole.size(); at += 1 + whole.size() / 100) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    file = flipped;
    INFO(at);
    CHECK_FALSE(file.complaint().empty());
  }
}

TEST_CASE("a small file of a vast picture is refused before room is made for it") {
  PictureFile file("vast.png");
  std::string png = encoded(".png", cv::Mat::zeros(3, 3, CV_8UC3));
  png.replace(16, 8, std::string("\0\0\xAF\xC8\0\0\xAF\xC8", 8));  // 45000 x 45000
  file = png;
  CHECK(contains(file.complaint(), "vast.png: its header says 45000 x 45000 pixels"));
  std::string jpeg = encoded(".jpg", cv::Mat::zeros(8, 8, CV_8UC3));
  const std::size_t frame = jpeg.find("\xFF\xC0");
  jpeg.replace(frame + 5, 4, "\xFF\xFF\xFF\xFF");
  file = jpeg;
  CHECK(contains(file.complaint(), "its header says 65535 x 65535 pixels"));
  file = std::string("P6\n99999999 99999999\n255\nxxx");
  CHECK(contains(file.complaint(), "its header says 99999999 x 99999999 pixels"));
}
