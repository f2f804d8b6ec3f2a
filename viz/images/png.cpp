#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "core/base/error.h"
#include "core/files/files.h"
#include "viz/images/pixels.h"

namespace ansatz::viz {
namespace {

std::uint32_t read_big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint32_t crc_of(std::string_view type, std::string_view data) {
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(type.data()), static_cast<uInt>(type.size()));
  return static_cast<std::uint32_t>(
      data.empty() ? crc : crc32(crc, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
}

/// The fcTL chunk of a frame that covers and replaces the whole picture.
std::string frame_control(std::uint32_t sequence, const Image& frame, double seconds) {
  const auto milliseconds = static_cast<std::uint32_t>(std::lround(1000 * seconds));
  std::string data = big_endian(sequence) + big_endian(frame.width) + big_endian(frame.height) + big_endian(0) +
                     big_endian(0) + big_endian(milliseconds << 16 | 1000);
  data += std::string(2, '\0');  // dispose: none, blend: source
  return png_chunk("fcTL", data);
}

void check_frames(const std::vector<Image>& frames, double seconds) {
  if (frames.empty()) throw DataError("write_animation: no frames; give at least one");
  for (const Image& frame : frames)
    if (frame.height != frames[0].height || frame.width != frames[0].width)
      throw DataError("write_animation: frames of different sizes; draw all frames at the same height and width");
  if (!(seconds >= 1e-3 && seconds <= 60))
    throw DataError("write_animation: " + std::to_string(seconds) + " s a frame; choose between 0.001 and 60");
}

}  // namespace

std::string big_endian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string png_chunk(std::string_view type, std::string_view data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + std::string(type) + std::string(data) +
         big_endian(crc_of(type, data));
}

std::vector<PngChunk> png_chunks(std::string_view png) {
  if (png.substr(0, kPngSignature.size()) != kPngSignature) throw DataError("not a PNG: wrong signature");
  png.remove_prefix(kPngSignature.size());
  std::vector<PngChunk> chunks;
  while (chunks.empty() || chunks.back().type != "IEND") {
    if (png.size() < 12 || png.size() - 12 < read_big_endian(png)) throw DataError("PNG is cut short");
    const std::size_t size = read_big_endian(png);
    const std::string_view type = png.substr(4, 4), data = png.substr(8, size);
    if (read_big_endian(png.substr(8 + size)) != crc_of(type, data)) throw DataError("PNG is damaged: wrong CRC");
    chunks.push_back({std::string(type), std::string(data)});
    png.remove_prefix(12 + size);
  }
  return chunks;
}

std::string with_density(std::string_view png, double dots_per_inch) {
  const auto per_metre = static_cast<std::uint32_t>(std::lround(dots_per_inch / 0.0254));
  std::string out(kPngSignature);
  for (const PngChunk& chunk : png_chunks(png)) {
    if (chunk.type == "pHYs") continue;
    out += png_chunk(chunk.type, chunk.data);
    if (chunk.type == "IHDR") out += png_chunk("pHYs", big_endian(per_metre) + big_endian(per_metre) + '\1');
  }
  return out;
}

std::string still_of(std::string_view png) {
  const std::vector<PngChunk> chunks = png_chunks(png);
  const auto moves = [](const PngChunk& chunk) {
    return chunk.type == "acTL" || chunk.type == "fcTL" || chunk.type == "fdAT";
  };
  if (std::none_of(chunks.begin(), chunks.end(), moves)) return "";
  std::string still(kPngSignature);
  for (const PngChunk& chunk : chunks)
    if (!moves(chunk)) still += png_chunk(chunk.type, chunk.data);
  return still;
}

std::string encode_png(const Image& image) {
  if (image.height < 1 || image.width < 1 ||
      image.rgb.size() != 3 * static_cast<std::size_t>(image.height) * static_cast<std::size_t>(image.width))
    throw DataError("image of " + std::to_string(image.height) + " x " + std::to_string(image.width) + " pixels has " +
                    std::to_string(image.rgb.size()) + " bytes; need 3 a pixel and at least one pixel");
  std::vector<std::uint8_t> bytes;
  cv::imencode(".png", to_bgr(image), bytes, {cv::IMWRITE_PNG_COMPRESSION, 9});
  return {bytes.begin(), bytes.end()};
}

void write_png(const Image& image, const std::filesystem::path& path) {
  write_file_atomically(path, std::string_view(encode_png(image)));
}

void write_animation(const std::vector<Image>& frames, double seconds_per_frame, const std::filesystem::path& path) {
  check_frames(frames, seconds_per_frame);
  std::string out(kPngSignature);
  for (const PngChunk& chunk : png_chunks(encode_png(frames.back()))) {
    if (chunk.type == "IHDR")
      out += png_chunk("IHDR", chunk.data) +
             png_chunk("acTL", big_endian(static_cast<std::uint32_t>(frames.size())) + big_endian(0));  // 0: loops
    if (chunk.type == "IDAT") out += png_chunk("IDAT", chunk.data);  // before any fcTL: the still, not a frame
  }
  std::uint32_t sequence = 0;
  for (const Image& frame : frames) {
    out += frame_control(sequence++, frame, seconds_per_frame);
    for (const PngChunk& chunk : png_chunks(encode_png(frame)))
      if (chunk.type == "IDAT") out += png_chunk("fdAT", big_endian(sequence++) + chunk.data);
  }
  out += png_chunk("IEND", "");
  write_file_atomically(path, std::string_view(out));
}

}  // namespace ansatz::viz
