#include <jpeglib.h>

#include <csetjmp>
#include <cstdio>

#include "core/base/error.h"
#include "viz/images/decoders.h"

namespace ansatz::viz {
namespace {

struct Complaints {
  jpeg_error_mgr base;
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void stop(j_common_ptr info) {
  auto* const complaints = reinterpret_cast<Complaints*>(info->err);
  info->err->format_message(info, complaints->message);
  std::longjmp(complaints->escape, 1);
}

/// A warning (level -1) says that data are damaged; libjpeg would then make up pixels. Higher levels are only traces.
void stop_at_warning(j_common_ptr info, int level) {
  if (level < 0) stop(info);
}

/// Converts inks, stored inverted as Adobe does, to RGB as OpenCV does.
void to_rgb(const std::uint8_t* cmyk, int width, std::uint8_t* rgb) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const int k = cmyk[3];
    for (int c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>(k - ((255 - cmyk[c]) * k >> 8));
  }
}

/// Returns false if decoding fails; complaints.message then says why. No local object has a destructor, so that a
/// longjmp out of libjpeg loses nothing.
bool decode(std::string_view bytes, jpeg_decompress_struct& info, Complaints& complaints, Image& image,
            std::vector<std::uint8_t>& inks) {
  if (setjmp(complaints.escape) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  const bool cmyk = info.num_components == 4;
  info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&info);
  image.height = static_cast<int>(info.output_height);
  image.width = static_cast<int>(info.output_width);
  const std::size_t row_bytes = 3 * static_cast<std::size_t>(image.width);
  image.rgb.resize(row_bytes * static_cast<std::size_t>(image.height));
  if (cmyk) inks.resize(4 * static_cast<std::size_t>(image.width));
  while (info.output_scanline < info.output_height) {
    std::uint8_t* const pixels = image.rgb.data() + row_bytes * info.output_scanline;
    JSAMPROW row = cmyk ? inks.data() : pixels;
    jpeg_read_scanlines(&info, &row, 1);
    if (cmyk) to_rgb(inks.data(), image.width, pixels);
  }
  jpeg_finish_decompress(&info);  // reads to the end mark
  return true;
}

}  // namespace

Image decode_jpeg(std::string_view bytes) {
  jpeg_decompress_struct info{};
  Complaints complaints{};
  info.err = jpeg_std_error(&complaints.base);
  complaints.base.error_exit = stop;
  complaints.base.emit_message = stop_at_warning;
  Image image;
  std::vector<std::uint8_t> inks;
  const bool whole = decode(bytes, info, complaints, image, inks);
  jpeg_destroy_decompress(&info);
  if (!whole) throw DataError(complaints.message);
  return image;
}

}  // namespace ansatz::viz
