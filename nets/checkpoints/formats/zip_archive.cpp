#include "nets/checkpoints/formats/zip_archive.h"

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "core/base/error.h"
#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {
namespace {

constexpr std::uint64_t end_bytes = 22, zip64_end_bytes = 56, zip64_locator_bytes = 20, local_header_bytes = 30;
constexpr std::uint64_t record_bytes = 46;                               // of the directory, before its name
constexpr std::uint64_t elsewhere16 = 0xffff, elsewhere32 = 0xffffffff;  // say that the value is in a zip64 field

/// Reads numbers and texts one after the other. Reading past the end gives 0 and sets `bad`.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  std::string_view text(std::uint64_t size) {
    bad_ |= size > bytes_.size();
    const std::string_view taken = bad_ ? std::string_view() : bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t number(int size) {
    const std::string_view raw = text(static_cast<std::uint64_t>(size));
    std::uint64_t value = 0;
    for (std::size_t i = raw.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[i]);
    return value;
  }
  bool bad() const { return bad_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool bad_ = false;
};

constexpr std::uint64_t local_header = 0x04034b50, directory_record = 0x02014b50, end_of_directory = 0x06054b50;
constexpr std::uint64_t zip64_end_of_directory = 0x06064b50, zip64_locator = 0x07064b50;
constexpr std::uint64_t zip64_field = 1, encrypted = 1;

/// Size and place of a record that needs 64 bits for them. They stand in field number 1 of the extra data, which has,
/// in this order, only those values for which the record itself says so.
bool take_zip64(std::string_view extra, std::uint64_t& whole, std::uint64_t& size, std::uint64_t& header_begin) {
  Fields fields(extra);
  while (!fields.at_end()) {
    const std::uint64_t kind = fields.number(2);
    Fields values(fields.text(fields.number(2)));
    if (fields.bad()) return false;
    if (kind != zip64_field) continue;
    for (std::uint64_t* value : {&whole, &size, &header_begin})
      if (*value == elsewhere32) *value = values.number(8);
    return !values.bad();
  }
  return false;
}

}  // namespace

ZipArchive::ZipArchive(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  file_size_ = std::filesystem::file_size(path_, error);
  if (error) throw DataError(path_.string() + ": cannot be read (" + error.message() + ")");
  const Directory directory = find_directory();
  add_records(directory);
  check_overlaps(directory.begin);
}

void ZipArchive::fail(const std::string& what) const {
  throw DataError(path_.string() + ": cannot be read as a PyTorch file (" + what +
                  "); truncated, damaged or made by another program");
}

std::string ZipArchive::bytes(std::uint64_t begin, std::uint64_t size) const {
  std::string read(static_cast<std::size_t>(size), '\0');
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  in.read(read.data(), static_cast<std::streamsize>(size));
  if (!in) throw DataError(path_.string() + ": cannot be read, or became shorter while it was read");
  return read;
}

/// Reads the directory's place from the very end of the file. Anything after it is refused, even a comment, which the
/// format allows but PyTorch never writes.
ZipArchive::Directory ZipArchive::find_directory() const {
  if (file_size_ < end_bytes) fail("too short for a zip file");
  const std::uint64_t end_begin = file_size_ - end_bytes;
  const std::string end = bytes(end_begin, end_bytes);
  Fields fields(end);
  if (fields.number(4) != end_of_directory) fail("no directory at its end");
  const std::uint64_t disk = fields.number(2), directory_disk = fields.number(2), records_here = fields.number(2);
  Directory directory;
  directory.records = fields.number(2);
  directory.size = fields.number(4);
  directory.begin = fields.number(4);
  if (disk != 0 || directory_disk != 0 || records_here != directory.records || fields.number(2) != 0)
    fail("a zip file of several volumes, or with a comment");
  std::uint64_t directory_end = end_begin;
  find_zip64(end_begin, directory, directory_end);
  if (directory.size > directory_end || directory.begin != directory_end - directory.size ||
      directory.records > directory.size / record_bytes)
    fail("its directory is not where it should be");
  return directory;
}

/// Reads the same values in 64 bits, if the file has them. They must agree with the short ones, unless these say that
/// the value is elsewhere.
void ZipArchive::find_zip64(std::uint64_t end_begin, Directory& directory, std::uint64_t& directory_end) const {
  if (end_begin < zip64_locator_bytes + zip64_end_bytes) return;
  const std::string locator = bytes(end_begin - zip64_locator_bytes, zip64_locator_bytes);
  Fields where(locator);
  if (where.number(4) != zip64_locator) return;
  const std::uint64_t disk = where.number(4), begin = where.number(8);
  if (disk != 0 || begin != end_begin - zip64_locator_bytes - zip64_end_bytes) fail("its zip64 record is not in place");
  const std::string record = bytes(begin, zip64_end_bytes);
  Fields fields(record);
  if (fields.number(4) != zip64_end_of_directory || fields.number(8) != zip64_end_bytes - 12)
    fail("its zip64 record is damaged");
  fields.text(4);  // versions
  const std::uint64_t disk_of_end = fields.number(4), disk_of_directory = fields.number(4);
  const std::uint64_t records_here = fields.number(8);
  Directory wide;
  wide.records = fields.number(8);
  wide.size = fields.number(8);
  wide.begin = fields.number(8);
  const auto agree = [](std::uint64_t narrow, std::uint64_t value, std::uint64_t elsewhere) {
    return narrow == elsewhere || narrow == value;
  };
  if (disk_of_end != 0 || disk_of_directory != 0 || records_here != wide.records ||
      !agree(directory.records, wide.records, elsewhere16) || !agree(directory.size, wide.size, elsewhere32) ||
      !agree(directory.begin, wide.begin, elsewhere32))
    fail("its zip64 record says other than its directory's end");
  directory = wide;
  directory_end = begin;
}

void ZipArchive::add_records(const Directory& directory) {
  const std::string listing = bytes(directory.begin, directory.size);
  Fields fields(listing);
  records_.reserve(static_cast<std::size_t>(directory.records));
  for (std::uint64_t i = 0; i < directory.records; ++i) {
    Record record;
    if (fields.number(4) != directory_record) fail("its directory is damaged");
    fields.text(4);  // versions
    const std::uint64_t flags = fields.number(2);
    record.method = static_cast<std::uint16_t>(fields.number(2));
    fields.text(4);  // time
    record.crc = static_cast<std::uint32_t>(fields.number(4));
    record.size = fields.number(4);
    std::uint64_t whole = fields.number(4);
    const std::uint64_t name = fields.number(2), extra = fields.number(2), comment = fields.number(2);
    const std::uint64_t disk = fields.number(2);
    fields.text(6);  // attributes
    record.header_begin = fields.number(4);
    record.name = fields.text(name);
    const std::string_view more = fields.text(extra);
    fields.text(comment);
    const bool wide = whole == elsewhere32 || record.size == elsewhere32 || record.header_begin == elsewhere32;
    if (fields.bad() || disk != 0 || (flags & encrypted) != 0) fail("its directory is damaged, or it is encrypted");
    if (wide && !take_zip64(more, whole, record.size, record.header_begin))
      fail("a size of its zip64 field is missing");
    if (record.method == 0 && whole != record.size) fail("a record has two sizes");
    if (!places_.emplace(record.name, records_.size()).second)
      fail("the record '" + printable(record.name) + "' is there twice");
    records_.push_back(std::move(record));
  }
  if (!fields.at_end()) fail("its directory is longer than its records");
}

void ZipArchive::check_overlaps(std::uint64_t directory_begin) const {
  std::vector<const Record*> in_order;
  for (const Record& record : records_) in_order.push_back(&record);
  std::sort(in_order.begin(), in_order.end(),
            [](const Record* a, const Record* b) { return a->header_begin < b->header_begin; });
  std::uint64_t end = directory_begin;
  for (std::size_t i = in_order.size(); i-- > 0;) {
    const Record& record = *in_order[i];
    const std::uint64_t least = local_header_bytes + record.name.size();
    if (record.header_begin > end || end - record.header_begin < least ||
        end - record.header_begin - least < record.size)
      fail("the record '" + printable(record.name) + "' reaches into another");
    end = record.header_begin;
  }
}

const ZipArchive::Record* ZipArchive::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &records_[found->second];
}

std::string ZipArchive::stored_bytes(const Record& record) const {
  const std::string what = "the record '" + printable(record.name) + "' ";
  const std::string header = bytes(record.header_begin, local_header_bytes + record.name.size());
  Fields fields(header);
  const bool begins = fields.number(4) == local_header;
  fields.text(4);  // version, flags
  const bool same_method = fields.number(2) == record.method;
  fields.text(16);  // time, checksum and sizes, which may also follow the data
  const std::uint64_t name = fields.number(2), extra = fields.number(2);
  if (!begins || !same_method || name != record.name.size() || fields.text(name) != record.name)
    fail(what + "does not begin where the directory says");
  const std::uint64_t begin = record.header_begin + header.size() + extra;
  if (begin > file_size_ || record.size > file_size_ - begin) fail(what + "reaches past the end");
  return bytes(begin, record.size);
}

void ZipArchive::check_crc(const Record& record, const std::string& data) const {
  const auto crc = data.empty() ? 0 : crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size());
  if (crc != record.crc) fail("the record '" + printable(record.name) + "' has the wrong checksum");
}

std::string ZipArchive::read(const Record& record) const {
  if (record.method != 0)
    fail("the record '" + printable(record.name) + "' is compressed, which torch.save never does");
  std::string data = stored_bytes(record);
  check_crc(record, data);
  return data;
}

std::string ZipArchive::read_text(const Record& record) const {
  constexpr std::uint16_t deflated = 8;
  if (record.method == 0) return read(record);
  if (record.method != deflated) fail("the record '" + printable(record.name) + "' is compressed in an unknown way");
  std::string data = inflated(stored_bytes(record), record);
  check_crc(record, data);
  return data;
}

std::string ZipArchive::inflated(const std::string& compressed, const Record& record) const {
  constexpr std::size_t most_bytes = std::size_t{1} << 24, piece = std::size_t{1} << 16;
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw MemoryError(path_.string() + ": no memory to inflate a record");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(compressed.size(), most_bytes));
  std::string data;
  int status = Z_OK;
  while (status == Z_OK && data.size() <= most_bytes) {
    const std::size_t before = data.size();
    data.resize(before + piece);
    stream.next_out = reinterpret_cast<Bytef*>(data.data() + before);
    stream.avail_out = static_cast<uInt>(piece);
    status = inflate(&stream, Z_NO_FLUSH);
    data.resize(before + piece - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) fail("the record '" + printable(record.name) + "' cannot be inflated, or is too large");
  return data;
}

}  // namespace ansatz::nets
