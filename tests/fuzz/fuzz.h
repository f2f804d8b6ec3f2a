// What the fuzz targets share. A target hands one input to one reader. The reader must give a value or throw an
// ansatz::Error: whatever else happens (another exception, a sanitizer's report, a hang, too much memory) ends the
// program, and libFuzzer keeps the input.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "tests/support/temporary_folder.h"

namespace ansatz::fuzz {

template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
  } catch (const Error&) {
  }
}

/// What is true of every value a reader gives.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "must hold: %s\n", what);
  std::abort();
}

/// An input in pieces: numbers in front that choose options, then the contents of files.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(reinterpret_cast<const char*>(data), size) {}
  /// The next bytes as a little-endian number; bytes that are not there are 0.
  std::size_t number(std::size_t bytes) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes && !left_.empty(); ++i, left_.remove_prefix(1))
      value |= static_cast<std::size_t>(static_cast<unsigned char>(left_.front())) << (8 * i);
    return value;
  }
  std::string_view take(std::size_t bytes) {
    const std::string_view piece = left_.substr(0, bytes);
    left_.remove_prefix(piece.size());
    return piece;
  }
  std::string_view rest() { return take(left_.size()); }

 private:
  std::string_view left_;
};

/// `length` bytes: `pattern` over and over (0 where it is empty), so that a small input makes a large file.
inline std::string repeated(std::string_view pattern, std::size_t length) {
  std::string bytes(length, '\0');
  for (std::size_t i = 0; i < length && !pattern.empty(); ++i) bytes[i] = pattern[i % pattern.size()];
  return bytes;
}

/// A folder of the process's own, in memory where the system offers that, removed at the end.
struct Folder : TemporaryFolder {
  Folder() : TemporaryFolder(place()) {}
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    return write_bytes(path() / name, bytes);
  }

 private:
  static std::filesystem::path place() {
    const std::filesystem::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
  }
};

}  // namespace ansatz::fuzz
