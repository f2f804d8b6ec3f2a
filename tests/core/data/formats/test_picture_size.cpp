// Sizes from headers put together by hand from the formats' specifications.
#include "core/base/error.h"
#include "core/data/formats/picture_size.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

void check(const std::string& picture, PictureFormat format, Index height, Index width) {
  const auto header = picture_header(picture);
  REQUIRE(header);
  CHECK(header->format == format);
  CHECK(header->height == height);
  CHECK(header->width == width);
  // Cut anywhere, it states no wrong size.
  for (std::size_t size = 0; size < picture.size(); ++size) {
    const auto cut = picture_header(std::string_view(picture).substr(0, size));
    if (cut && cut->height * cut->width != 0) CHECK((cut->height == height && cut->width == width));
  }
}

}  // namespace

TEST_CASE("the size of a picture stands in its header") {
  // Start, a segment of 4 bytes, fill bytes, a progressive frame of 300 x 513.
  check(bytes({0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 'J', 'F', 0xFF, 0xC0, 0xFF, 0xFF, 0xC2, 0, 11, 8, 1, 44, 2, 1}),
        PictureFormat::jpeg, 300, 513);
  check(bytes({0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1, 0, 0, 0, 0, 7}),
        PictureFormat::png, 7, 256);
  std::string bmp = "BM" + std::string(12, '\0') + bytes({40, 0, 0, 0, 5, 0, 0, 0, 0xFD, 0xFF, 0xFF, 0xFF});
  check(bmp, PictureFormat::bmp, 3, 5);  // a negative height: top row first
  check("RIFF    WEBPVP8 " + std::string(10, '\0') + bytes({64, 1, 32, 0}), PictureFormat::webp, 32, 320);
  check("RIFF    WEBPVP8L    " + bytes({0x2F, 0x3F, 0xC0, 0x07, 0}), PictureFormat::webp, 32, 64);
  check("RIFF    WEBPVP8X        " + bytes({9, 1, 0, 4, 0, 0}), PictureFormat::webp, 5, 266);
  check(bytes({'I', 'I', 42, 0, 8, 0, 0, 0, 2, 0, 0, 1, 3, 0, 1, 0, 0,
               0,   9,   0,  0, 0, 1, 1, 4, 0, 1, 0, 0, 0, 8, 1, 0, 0}),
        PictureFormat::tiff, 264, 9);
  check("P5 # a comment\n# another\n 12\t7\n255\n", PictureFormat::pnm, 7, 12);
  CHECK_FALSE(picture_header("GIF89a"));
  CHECK_FALSE(picture_header(""));
}
