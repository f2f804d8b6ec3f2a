#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::string cause(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw OutputError("cannot write " + path.string() + ": " + why);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  /// 0, or the errno of a write that the system had put off until now.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && ::close(fd) != 0 && errno != EINTR ? errno : 0;
  }

 private:
  int fd_;
};

/// 0 or errno.
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

  fs::path target_, path_;
  FileDescriptor file_;
};

/// Where a rename may go: links followed, and never onto a device or a folder.
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

std::string read_file(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw DataError("cannot read " + path.string() + ": " + cause(errno));
  struct stat status {};
  std::string text;
  if (::fstat(file.get(), &status) == 0 && status.st_size > 0)
    text.reserve(static_cast<std::size_t>(status.st_size) + 1);
  std::array<char, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataError("cannot read " + path.string() + ": " + cause(errno));
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

std::string read_file_or_gzip(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw DataError("cannot read " + path.string() + ": " + cause(errno));
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(::gzdopen(fd, "rb"), ::gzclose_r);  // owns fd
  if (!file) {
    ::close(fd);
    throw DataError("cannot read " + path.string() + ": out of memory");
  }
  ::gzbuffer(file.get(), 1 << 17);
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 20);
  int got = 0;
  while ((got = ::gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0)
    text.append(chunk.data(), static_cast<std::size_t>(got));
  int code = Z_OK;
  const char* message = ::gzerror(file.get(), &code);
  if (code == Z_BUF_ERROR) throw DataError(path.string() + ": truncated gzip file; fetch it again");
  if (code == Z_ERRNO) throw DataError("cannot read " + path.string() + ": " + cause(errno));
  if (code != Z_OK) throw DataError(path.string() + ": corrupt gzip file (" + message + "); fetch it again");
  return text;
}

}  // namespace ansatz
