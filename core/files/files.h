// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ansatz {

/// Calls `write` on a stream to a temporary file beside `path`, then fsyncs and renames; a symbolic link is followed.
/// On any failure (disk full, read-only, no such folder, not a regular file, an exception of `write`) the temporary is
/// removed, the old file left as it was, and OutputError thrown, naming path and cause. An ansatz::Error thrown by
/// `write` passes unchanged.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Appends `line` and a newline in a single write, creating the file. After a crash the last line may be missing or
/// cut, the others are whole. OutputError as above.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Creates the folder and its parents; nothing to do if it is there. OutputError naming path and cause.
void make_folder(const std::filesystem::path& path);

/// True for the names of temporary files that a killed process leaves behind (".<name>.<process>-<count>.tmp").
bool is_temporary_file(const std::filesystem::path& path);

/// Throws DataError naming path and cause unless `path` is a regular file (links are followed) that can be opened: a
/// pipe or a device may never answer or never end, and a folder holds no bytes. Returns its size in bytes. All that is
/// read from files goes through this check.
std::uintmax_t require_regular_file(const std::filesystem::path& path);

/// The whole file; DataError if it cannot be read or is no regular file. ".gz" is not special here.
std::string read_file(const std::filesystem::path& path);
/// The whole file, unpacked if it starts with the gzip magic; DataError if truncated or corrupt (zlib), MemoryError if
/// what it unpacks to takes more than half of the free memory.
std::string read_file_or_gzip(const std::filesystem::path& path);

/// A regular file read front to back, with no more of it held than a buffer. Every failure is a DataError naming it.
class InputFile {
 public:
  enum class Packing { none, gzip_or_none };  ///< gzip_or_none: unpacked on the way if it starts with the gzip magic

  explicit InputFile(const std::filesystem::path& path, Packing packing = Packing::none);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool gzipped() const { return gzip_ != nullptr; }
  std::uintmax_t stored_bytes() const { return stored_bytes_; }  ///< of the file as it is
  /// The most bytes that reading to the end can give: deflate packs at most 1032 bytes into one.
  double most_bytes() const { return static_cast<double>(stored_bytes_) * (gzipped() ? 1032 : 1); }

  std::uintmax_t position() const { return position_; }  ///< of the next byte, unpacked
  std::size_t read(char* out, std::size_t count);        ///< fewer than `count` only at the end
  void read_exactly(char* out, std::size_t count);
  /// Continues at byte `position` of the unpacked bytes. In a gzipped file that must not lie before the bytes read.
  void seek(std::uintmax_t position);
  /// Reads to the end, where gzip's checksum stands. Returns how many bytes there are in all.
  std::uintmax_t finish();

 private:
  std::size_t read_gzip(char* out, std::size_t count);

  std::filesystem::path path_;
  std::uintmax_t stored_bytes_ = 0, position_ = 0;
  int descriptor_ = -1;   ///< closed by zlib if zlib reads the file
  void* gzip_ = nullptr;  ///< zlib's gzFile
};

}  // namespace ansatz
