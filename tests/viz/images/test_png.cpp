#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viz/images/feature_image.h"

using namespace ansatz;
using namespace ansatz::viz;

namespace {

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

/// CRC-32 bit by bit, from the PNG specification: independent of zlib's.
std::uint32_t slow_crc(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

struct Chunk {
  std::string type, data;
};

std::vector<Chunk> chunks_of(const std::string& file) {
  REQUIRE(file.substr(0, 8) == std::string("\x89PNG\r\n\x1a\n", 8));
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::uint32_t size = number(file, at);
    chunks.push_back({file.substr(at + 4, 4), file.substr(at + 8, size)});
    REQUIRE(number(file, at + 8 + size) == slow_crc(file.substr(at + 4, 4 + size)));
    at += 12 + size;
  }
  return chunks;
}

Image shade(std::uint8_t level) { return {4, 6, std::vector<std::uint8_t>(3 * 4 * 6, level)}; }

}  // namespace

TEST_CASE("animation: chunks, sequence numbers, sizes, delays and CRCs") {
  const TemporaryFolder scratch;
  write_animation({shade(10), shade(100), shade(200)}, 0.25, scratch.path() / "a.png");
  const std::vector<Chunk> chunks = chunks_of(read_file(scratch.path() / "a.png"));
  CHECK(chunks.front().type == "IHDR");
  CHECK(number(chunks[0].data, 0) == 6);
  CHECK(number(chunks[0].data, 4) == 4);
  CHECK(chunks[1].type == "acTL");
  CHECK(number(chunks[1].data, 0) == 3);
  CHECK(number(chunks[1].data, 4) == 0);  // for ever
  CHECK(chunks.back().type == "IEND");

  std::string order;
  std::uint32_t sequence = 0;
  for (const Chunk& chunk : chunks) {
    if (chunk.type == "fcTL") {
      order += 'c';
      REQUIRE(chunk.data.size() == 26);
      CHECK(number(chunk.data, 0) == sequence++);
      CHECK(number(chunk.data, 4) == 6);
      CHECK(number(chunk.data, 8) == 4);
      CHECK(number(chunk.data, 12) == 0);
      CHECK(number(chunk.data, 16) == 0);
      CHECK(number(chunk.data, 20) == (250u << 16 | 1000u));
    } else if (chunk.type == "fdAT") {
      order += 'f';
      CHECK(number(chunk.data, 0) == sequence++);
    } else if (chunk.type == "IDAT") {
      order += 'I';
    }
  }
  CHECK(order == "Icfcfcf");
}

TEST_CASE("animation: each frame holds its own pixels") {
  const TemporaryFolder scratch;
  const std::vector<Image> frames{shade(10), shade(100), shade(200)};
  write_animation(frames, 0.1, scratch.path() / "a.png");
  CHECK(read_image(scratch.path() / "a.png").rgb == frames[2].rgb);  // an ordinary reader sees the last
  // A frame's data behind the header of a plain PNG of its size is that picture.
  const std::vector<Chunk> chunks = chunks_of(read_file(scratch.path() / "a.png"));
  std::vector<std::string> data;
  for (const Chunk& chunk : chunks)
    if (chunk.type == "fdAT") data.push_back(chunk.data.substr(4));
  REQUIRE(data.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    write_png(frames[i], scratch.path() / "plain.png");
    std::string expected;
    for (const Chunk& chunk : chunks_of(read_file(scratch.path() / "plain.png")))
      if (chunk.type == "IDAT") expected += chunk.data;
    CHECK(data[i] == expected);
  }
}

TEST_CASE("the still of an animation is its last frame as a plain PNG") {
  const TemporaryFolder scratch;
  write_animation({shade(10), shade(200)}, 0.1, scratch.path() / "a.png");
  write_png(shade(200), scratch.path() / "plain.png");
  const std::string plain = read_file(scratch.path() / "plain.png");
  CHECK(still_of(read_file(scratch.path() / "a.png")) == plain);
  CHECK(still_of(plain).empty());
  CHECK_THROWS_AS(still_of(plain.substr(0, 40)), DataError);
}

TEST_CASE("animation: no frames, unequal frames and impossible delays are refused, and leave nothing") {
  const TemporaryFolder scratch;
  const auto path = scratch.path() / "a.png";
  CHECK_THROWS_AS(write_animation({}, 0.1, path), DataError);
  CHECK_THROWS_AS(write_animation({shade(1), {2, 2, std::vector<std::uint8_t>(12)}}, 0.1, path), DataError);
  CHECK_THROWS_AS(write_animation({shade(1)}, 0, path), DataError);
  CHECK_THROWS_AS(write_animation({shade(1)}, 1000, path), DataError);
  CHECK_THROWS_AS(write_animation({shade(1)}, 0.1, scratch.path() / "none" / "a.png"), OutputError);
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("equal pixels give equal files") {
  const TemporaryFolder scratch;
  write_animation({shade(1), shade(2)}, 0.1, scratch.path() / "a.png");
  write_animation({shade(1), shade(2)}, 0.1, scratch.path() / "b.png");
  CHECK(read_file(scratch.path() / "a.png") == read_file(scratch.path() / "b.png"));
}
