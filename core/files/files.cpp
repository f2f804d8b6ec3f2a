#include "core/files/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "core/machine/memory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::string cause(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw OutputError("cannot write " + path.string() + ": " + why);
}

[[noreturn]] void cannot_read(const fs::path& path, const std::string& why) {
  throw DataError("cannot read " + path.string() + ": " + why);
}

/// What a path that is not a regular file is, in words.
const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// Opens a regular file and returns its descriptor. Does not wait for the other end if the path is a pipe.
int open_regular(const fs::path& path, std::uintmax_t& size) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) cannot_read(path, cause(errno));
  struct stat status {};
  const int error = ::fstat(fd, &status) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(status.st_mode)) {
    size = static_cast<std::uintmax_t>(status.st_size);
    return fd;
  }
  ::close(fd);
  cannot_read(path, error != 0 ? cause(error) : std::string("it is ") + kind_of(status.st_mode) + ", no regular file");
}

/// Throws MemoryError if text of that size would not leave enough memory for what is made from it.
void require_room(const fs::path& path, double bytes) {
  constexpr double kSmall = 1 << 28;
  if (bytes > kSmall && bytes > available_memory() / 2)
    throw MemoryError(path.string() + ": its bytes take more than half of the free memory; is it what it should be?");
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  /// Returns 0, or the errno of a write that the system had delayed until now.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && ::close(fd) != 0 && errno != EINTR ? errno : 0;
  }

 private:
  int fd_;
};

/// Writes everything; returns 0 or errno.
int write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

/// An output buffer on a file descriptor that keeps the errno of its first failure, which std::filebuf loses.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(int fd) : fd_(fd), buffer_(std::size_t{1} << 18) { reset(); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                           : sputc(traits_type::to_char_type(c));
  }
  int sync() override { return write_through(pbase(), static_cast<std::size_t>(pptr() - pbase())); }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    if (size <= epptr() - pptr()) return std::streambuf::xsputn(data, size);
    return sync() == 0 && write_through(data, static_cast<std::size_t>(size)) == 0 ? size : 0;
  }

 private:
  void reset() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  int write_through(const char* data, std::size_t size) {
    if (error_ == 0) error_ = write_all(fd_, data, size);
    reset();
    return error_ == 0 ? 0 : -1;
  }

  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

/// A new file beside its target, removed again unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : target_(target), file_(create(target, path_)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  int descriptor() const { return file_.get(); }

  void commit() {
    if (::fsync(file_.get()) != 0 && errno != EINVAL) cannot_write(target_, cause(errno));
    if (const int error = file_.close()) cannot_write(target_, cause(error));
    if (::rename(path_.c_str(), target_.c_str()) != 0) cannot_write(target_, cause(errno));
    path_.clear();
    // The file is in place; syncing its folder only makes the rename survive a power cut, and not every file system
    // can.
    const FileDescriptor folder(::open(parent(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0) ::fsync(folder.get());
  }

 private:
  static fs::path parent(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

  static int create(const fs::path& target, fs::path& path) {
    static std::atomic<unsigned> counter{0};
    for (;;) {
      const std::string unique = std::to_string(::getpid()) + "-" + std::to_string(counter++);
      path = parent(target) / ("." + target.filename().string() + "." + unique + ".tmp");
      const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0) return fd;
      if (errno == EEXIST) continue;
      const int error = errno;
      path.clear();
      cannot_write(target, cause(error));
    }
  }

  InterruptsWait until_removed_;
  fs::path target_, path_;
  FileDescriptor file_;
};

/// The file that a rename may replace: links are followed, and a device or a folder is refused.
fs::path rename_target(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) cannot_write(path, "it exists and is not a regular file");
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

}  // namespace

void write_file_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  if (path.filename().empty()) cannot_write(path, "not a file name");
  TemporaryFile file(rename_target(path));
  OutputBuffer buffer(file.descriptor());
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // a full disk ends the writing at once
  try {
    write(stream);
    stream.flush();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    cannot_write(path, buffer.error() != 0 ? cause(buffer.error()) : e.what());
  }
  if (buffer.error() != 0 || !stream)
    cannot_write(path, buffer.error() != 0 ? cause(buffer.error()) : "writing failed");
  file.commit();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path,
                        [&](std::ostream& out) { out.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

void append_line(const fs::path& path, std::string_view line) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.get() < 0) cannot_write(path, cause(errno));
  const std::string whole = std::string(line) + "\n";
  if (const int error = write_all(file.get(), whole.data(), whole.size())) cannot_write(path, cause(error));
  if (const int error = file.close()) cannot_write(path, cause(error));
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError("cannot create the folder " + path.string() + ": " + error.message());
  if (!fs::is_directory(path, error)) throw OutputError(path.string() + " exists and is not a folder");
}

bool is_temporary_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 5 && name.front() == '.' && path.extension() == ".tmp";
}

std::uintmax_t require_regular_file(const fs::path& path) {
  std::uintmax_t size = 0;
  const FileDescriptor closed_again(open_regular(path, size));
  return size;
}

std::string read_file(const fs::path& path) {
  std::uintmax_t size = 0;
  const FileDescriptor file(open_regular(path, size));
  require_room(path, static_cast<double>(size));
  std::string text;
  text.reserve(static_cast<std::size_t>(size) + 1);
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, cause(errno));
    if (got == 0 && text.size() < size) cannot_read(path, "it became shorter while it was read");
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::string read_file_or_gzip(const fs::path& path) {
  InputFile file(path, InputFile::Packing::gzip_or_none);
  std::string text;
  require_room(path, static_cast<double>(file.stored_bytes()));
  if (!file.gzipped()) text.reserve(static_cast<std::size_t>(file.stored_bytes()) + 1);
  std::vector<char> chunk(std::size_t{1} << 20);
  while (const std::size_t got = file.read(chunk.data(), chunk.size())) {
    if (text.size() + got > text.capacity()) require_room(path, 2 * static_cast<double>(text.size()));
    text.append(chunk.data(), got);
  }
  return text;
}

InputFile::InputFile(const fs::path& path, Packing packing) : path_(path) {
  descriptor_ = open_regular(path, stored_bytes_);
  char magic[2] = {};
  const bool packed = packing == Packing::gzip_or_none && ::pread(descriptor_, magic, 2, 0) == 2 &&
                      std::memcmp(magic, "\x1f\x8b", 2) == 0;
  if (!packed) return;
  gzip_ = ::gzdopen(descriptor_, "rb");
  if (gzip_ == nullptr) {
    ::close(descriptor_);
    cannot_read(path, "out of memory");
  }
  ::gzbuffer(static_cast<gzFile>(gzip_), 1 << 17);
}

InputFile::~InputFile() {
  if (gzipped())
    ::gzclose_r(static_cast<gzFile>(gzip_));
  else
    ::close(descriptor_);
}

std::size_t InputFile::read_gzip(char* out, std::size_t count) {
  const auto file = static_cast<gzFile>(gzip_);
  const int got = ::gzread(file, out, static_cast<unsigned>(count));
  int code = Z_OK;
  const char* const message = ::gzerror(file, &code);
  if (code == Z_BUF_ERROR) throw DataError(path_.string() + ": truncated gzip file; fetch it again");
  if (code == Z_ERRNO) cannot_read(path_, cause(errno));
  if (got < 0 || code < 0) throw DataError(path_.string() + ": corrupt gzip file (" + message + "); fetch it again");
  return static_cast<std::size_t>(got);
}

std::size_t InputFile::read(char* out, std::size_t count) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in int
  std::size_t done = 0;
  while (done < count) {
    const std::size_t most = std::min(count - done, kMost);
    const ssize_t got = gzipped() ? static_cast<ssize_t>(read_gzip(out + done, most))
                                  : ::pread(descriptor_, out + done, most, static_cast<off_t>(position_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path_, cause(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
    position_ += static_cast<std::uintmax_t>(got);
  }
  return done;
}

void InputFile::read_exactly(char* out, std::size_t count) {
  if (read(out, count) != count) throw DataError(path_.string() + ": truncated; get it again");
}

void InputFile::seek(std::uintmax_t position) {
  if (!gzipped()) {
    position_ = position;
    return;
  }
  std::vector<char> skipped(std::min<std::uintmax_t>(position - position_, std::uintmax_t{1} << 18));
  while (position_ < position)
    read_exactly(skipped.data(), std::min<std::uintmax_t>(position - position_, skipped.size()));
}

std::uintmax_t InputFile::finish() {
  if (!gzipped()) return stored_bytes_;
  std::vector<char> rest(std::size_t{1} << 18);
  while (read(rest.data(), rest.size()) > 0) {
  }
  return position_;
}

}  // namespace ansatz
