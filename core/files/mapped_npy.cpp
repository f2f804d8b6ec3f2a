#include "core/files/mapped_npy.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/files/npy_dtype.h"
#include "core/files/npy_header.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const char> map_file(const fs::path& path, std::size_t bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  void* const begin = descriptor < 0 ? MAP_FAILED : ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  const std::string cause = std::strerror(errno);
  if (descriptor >= 0) ::close(descriptor);
  if (begin == MAP_FAILED) throw DataError(path.string() + ": cannot be mapped into memory: " + cause);
  return {static_cast<const char*>(begin), [bytes](const char* first) { ::munmap(const_cast<char*>(first), bytes); }};
}

}  // namespace

MappedNpy map_npy(const fs::path& path) {
  InputFile file(path);
  const NpyHeader header = detail::read_npy_header(file);
  const std::uintmax_t begin = file.position(), bytes = file.stored_bytes();
  detail::checked_npy_dtype<double>(path, header, bytes - begin);
  if (header.fortran_order && header.shape.size() > 1)
    throw DataError(path.string() + ": lies in the file column by column; save it with numpy.ascontiguousarray");
  const std::shared_ptr<const char> whole = map_file(path, static_cast<std::size_t>(bytes));
  return {header, std::shared_ptr<const char>(whole, whole.get() + begin)};
}

}  // namespace ansatz
