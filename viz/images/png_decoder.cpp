#include <png.h>

#include <csetjmp>
#include <cstring>

#include "core/base/error.h"
#include "viz/images/decoders.h"

namespace ansatz::viz {
namespace {

/// The bytes that libpng reads, and the place for its error message.
struct Source {
  std::string_view rest;
  char message[128];
};

[[noreturn]] void stop(png_structp png, png_const_charp message) {
  auto* const source = static_cast<Source*>(png_get_error_ptr(png));
  std::strncpy(source->message, message, sizeof(source->message) - 1);
  png_longjmp(png, 1);
}

/// Ignores warnings: they are about colour profiles, times and texts. Damage to these is found by their CRC.
void ignore(png_structp, png_const_charp) {}

void read(png_structp png, png_bytep out, std::size_t count) {
  auto* const source = static_cast<Source*>(png_get_io_ptr(png));
  if (source->rest.size() < count) png_error(png, "the file is cut short");
  std::memcpy(out, source->rest.data(), count);
  source->rest.remove_prefix(count);
}

/// Asks libpng to convert every kind of picture to 8-bit RGB, by the same steps as OpenCV.
void ask_for_rgb(png_structp png, png_infop info) {
  const int color = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
  if (depth == 16) png_set_strip_16(png);
  png_set_strip_alpha(png);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if ((color & PNG_COLOR_MASK_COLOR) == 0) {
    if (depth < 8) png_set_expand_gray_1_2_4_to_8(png);
    png_set_gray_to_rgb(png);
  }
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
}

/// Returns false if decoding fails; source.message then says why. No local object has a destructor, so that a longjmp
/// out of libpng loses nothing.
bool decode(png_structp png, png_infop info, Source& source, Image& image, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &source, read);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_read_info(png, info);
  ask_for_rgb(png, info);
  image.height = static_cast<int>(png_get_image_height(png, info));
  image.width = static_cast<int>(png_get_image_width(png, info));
  const std::size_t row_bytes = 3 * static_cast<std::size_t>(image.width);
  if (png_get_rowbytes(png, info) != row_bytes) png_error(png, "its pixels are of no known kind");
  image.rgb.resize(row_bytes * static_cast<std::size_t>(image.height));
  rows.resize(static_cast<std::size_t>(image.height));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = image.rgb.data() + i * row_bytes;
  png_read_image(png, rows.data());
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

Image decode_png(std::string_view bytes) {
  Source source{bytes, {}};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, stop, ignore);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  Image image;
  std::vector<png_bytep> rows;
  const bool whole = info != nullptr && decode(png, info, source, image, rows);
  png_destroy_read_struct(&png, &info, nullptr);
  if (!whole) throw DataError(source.message);
  return image;
}

}  // namespace ansatz::viz
