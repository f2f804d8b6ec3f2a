#include "core/data/formats/mat5.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/files/files.h"

namespace ansatz::detail {
namespace {

namespace fs = std::filesystem;

// Types of elements, and the size of a value of each numeric type in bytes (0: no such type).
constexpr std::uint32_t kMatrix = 14, kCompressed = 15;
constexpr std::array<std::uint32_t, 14> kValueBytes = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
constexpr std::uint32_t kFirstNumericClass = 6, kLastNumericClass = 15, kComplex = 0x0800;
constexpr double kMostPacked = 1032;  // bytes that deflate packs into one

/// Reads the bytes of one element from front to back.
class Content {
 public:
  virtual ~Content() = default;
  /// Throws DataError if there are fewer bytes.
  virtual void read(char* out, std::size_t count) = 0;
  /// Throws DataError unless the element ends here and its checksum is right.
  virtual void finish() = 0;

  void skip(std::uint64_t count) {
    std::vector<char> chunk(static_cast<std::size_t>(std::min<std::uint64_t>(count, 1 << 18)));
    for (; count > 0; count -= std::min<std::uint64_t>(count, chunk.size()))
      read(chunk.data(), static_cast<std::size_t>(std::min<std::uint64_t>(count, chunk.size())));
  }
};

[[noreturn]] void damaged(const fs::path& path, const std::string& how) {
  throw DataError(fmt::format("{}: damaged or cut short: {}; get it again", path.string(), how));
}

class StoredContent : public Content {
 public:
  StoredContent(InputFile& file, std::uint64_t size) : file_(file), left_(size) {}
  void read(char* out, std::size_t count) override {
    if (count > left_) damaged(file_.path(), "an array is longer than its element");
    file_.read_exactly(out, count);
    left_ -= count;
  }
  void finish() override {
    if (left_ >= 8) damaged(file_.path(), "an element is longer than its array");
  }

 private:
  InputFile& file_;
  std::uint64_t left_;
};

class InflatedContent : public Content {
 public:
  InflatedContent(InputFile& file, std::uint64_t size) : file_(file), left_(size), chunk_(1 << 16) {
    if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  InflatedContent(const InflatedContent&) = delete;
  InflatedContent& operator=(const InflatedContent&) = delete;
  ~InflatedContent() override { inflateEnd(&stream_); }

  void read(char* out, std::size_t count) override {
    if (inflate_some(out, count) != count) damaged(file_.path(), "a compressed array ends too early");
  }
  void finish() override {
    char padding[8];
    if (inflate_some(padding, sizeof padding) == sizeof padding)
      damaged(file_.path(), "a compressed element is longer than its array");
    if (!ended_) damaged(file_.path(), "a compressed array ends without its checksum");
  }

 private:
  std::size_t inflate_some(char* out, std::size_t count) {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(count);
    while (stream_.avail_out > 0 && !ended_) {
      if (stream_.avail_in == 0) {
        const auto available = static_cast<std::size_t>(std::min<std::uint64_t>(left_, chunk_.size()));
        if (available == 0) break;
        file_.read_exactly(chunk_.data(), available);
        left_ -= available;
        stream_.next_in = reinterpret_cast<Bytef*>(chunk_.data());
        stream_.avail_in = static_cast<uInt>(available);
      }
      const int code = inflate(&stream_, Z_NO_FLUSH);
      ended_ = code == Z_STREAM_END;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        damaged(file_.path(),
                fmt::format("a compressed array: {}", stream_.msg ? stream_.msg : "not deflate's format"));
    }
    return count - stream_.avail_out;
  }

  InputFile& file_;
  std::uint64_t left_;
  bool ended_ = false;
  std::vector<char> chunk_;
  z_stream stream_{};
};

struct Tag {
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;
  bool small = false;  ///< up to 4 bytes of data stand in the tag itself
  std::array<char, 4> data{};
};

class Walker {
 public:
  Walker(InputFile& file, bool big_endian) : file_(file), big_endian_(big_endian) {}

  /// True if the element at the file's position holds `array`.
  bool check_element(const Tag& element, const std::string& array, bool whole) {
    const std::unique_ptr<Content> content = open(element);
    if (element.type == kCompressed) {
      const Tag inner = read_tag(*content);
      if (inner.type != kMatrix) return false;
    }
    return check_matrix(*content, array, whole, element);
  }

  Tag tag_of(const char* bytes) const {
    Tag tag{number(bytes), number(bytes + 4)};
    if (tag.type >> 16 == 0) return tag;
    tag.bytes = tag.type >> 16;
    tag.type &= 0xFFFF;
    tag.small = true;
    std::memcpy(tag.data.data(), bytes + 4, 4);
    if (tag.bytes > 4) damaged(file_.path(), "the length of an element is impossible");
    return tag;
  }

 private:
  std::unique_ptr<Content> open(const Tag& element) const {
    if (element.type == kCompressed) return std::make_unique<InflatedContent>(file_, element.bytes);
    return std::make_unique<StoredContent>(file_, element.bytes);
  }

  std::uint32_t number(const char* bytes) const {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[big_endian_ ? i : 3 - i]);
    return value;
  }

  Tag read_tag(Content& content) const {
    char bytes[8];
    content.read(bytes, sizeof bytes);
    return tag_of(bytes);
  }

  static std::uint64_t padded(const Tag& tag) { return tag.small ? 0 : (std::uint64_t{tag.bytes} + 7) / 8 * 8; }

  /// Reads a short part of a matrix: flags, dimensions or name.
  std::string read_part(Content& content) const {
    constexpr std::uint32_t kMost = 4096;
    const Tag tag = read_tag(content);
    if (tag.small) return {tag.data.data(), tag.bytes};
    if (tag.bytes > kMost) damaged(file_.path(), "the header of an array is impossible");
    std::string bytes(padded(tag), '\0');
    content.read(bytes.data(), bytes.size());
    bytes.resize(tag.bytes);
    return bytes;
  }

  double values_in(const std::string& dimensions) const {
    double values = 1;
    for (std::size_t at = 0; at + 4 <= dimensions.size(); at += 4) values *= number(dimensions.data() + at);
    return values;
  }

  bool check_matrix(Content& content, const std::string& array, bool whole, const Tag& element) const {
    const std::string flags = read_part(content);
    if (flags.size() != 8) return false;
    const double values = values_in(read_part(content));
    if (read_part(content) != array) return false;
    const std::uint32_t kind = number(flags.data()) & 0xFF;
    if (kind < kFirstNumericClass || kind > kLastNumericClass) return true;  // the caller refuses other types
    if (values > element.bytes * (element.type == kCompressed ? kMostPacked : 1))
      damaged(file_.path(), fmt::format("array \"{}\" cannot hold as many values as its dimensions say", array));
    if (!whole) return true;
    for (int part = 0; part < (number(flags.data()) & kComplex ? 2 : 1); ++part) check_values(content, values, array);
    content.finish();
    return true;
  }

  void check_values(Content& content, double values, const std::string& array) const {
    const Tag tag = read_tag(content);
    const std::uint32_t bytes = tag.type < kValueBytes.size() ? kValueBytes[tag.type] : 0;
    if (bytes == 0 || tag.bytes != values * bytes)
      damaged(file_.path(), fmt::format("array \"{}\" does not hold as many values as its dimensions say", array));
    content.skip(tag.small ? 0 : tag.bytes);
    const std::uint64_t padding = padded(tag) - (tag.small ? 0 : tag.bytes);
    content.skip(padding);
  }

  InputFile& file_;
  bool big_endian_;
};

}  // namespace

void check_mat5(const fs::path& path, const std::string& array, bool whole) {
  constexpr std::uint64_t kHeader = 128;
  InputFile file(path);
  std::array<char, kHeader> header{};
  if (file.read(header.data(), header.size()) < header.size()) return;  // no .mat file of any version
  const std::string_view mark(header.data() + 124, 4);
  const bool little_endian = mark == std::string_view("\0\1IM", 4), big_endian = mark == std::string_view("\1\0MI", 4);
  if (!little_endian && !big_endian) return;
  Walker walker(file, big_endian);
  bool found = false;
  for (std::uint64_t at = kHeader; at < file.stored_bytes();) {
    char bytes[8];
    file.seek(at);
    if (file.read(bytes, sizeof bytes) < sizeof bytes) damaged(path, "it ends within an element");
    const Tag element = walker.tag_of(bytes);
    const std::uint64_t next = at + sizeof bytes + (element.small ? 0 : element.bytes);
    if (next > file.stored_bytes())
      damaged(path, fmt::format("{} bytes, but an element says that there are {}", file.stored_bytes(), next));
    if (!found && (element.type == kCompressed || element.type == kMatrix))
      found = walker.check_element(element, array, whole);
    at = next;
  }
  if (!found) throw DataError(fmt::format("{}: no array \"{}\" in this .mat file", path.string(), array));
}

}  // namespace ansatz::detail
