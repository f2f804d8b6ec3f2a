#include "core/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/parallel.h"

namespace ansatz {
namespace {

/// Of address space that a thread takes when it first meets OpenBLAS (which waits for ever where it cannot) and malloc.
constexpr double kThreadBytes = 192.0 * (1 << 20);
constexpr std::uintptr_t kPage = 4096, kHugePage = std::uintptr_t(2) << 20;

double limit_from_file(const char* path) {
  std::ifstream file(path);
  double bytes = 0;
  return file >> bytes ? bytes : std::numeric_limits<double>::infinity();
}

double memory_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  for (double kilobytes = 0; file >> key >> kilobytes; file.ignore(64, '\n')) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return std::numeric_limits<double>::infinity();
}

double address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  statm >> pages;
  const double reserved = kThreadBytes * threads();
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(kPage) - reserved);
}

}  // namespace

double available_memory() {
  const double group = std::min(limit_from_file("/sys/fs/cgroup/memory.max"),
                                limit_from_file("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  return std::min({memory_available(), group, address_space_left()});
}

void require_memory(double bytes, const std::string& what) {
  const double available = available_memory();
  if (bytes <= available) return;
  throw MemoryError(
      fmt::format("{} needs {:.2f} GB of memory, {:.2f} GB are free", what, 1e-9 * bytes, 1e-9 * available));
}

template <class Scalar>
Matrix<Scalar> large_matrix(Index rows, Index columns) {
  Matrix<Scalar> result(rows, columns);
  const std::size_t bytes = static_cast<std::size_t>(result.size()) * sizeof(Scalar);
  if (bytes < 4 * kHugePage) return result;
  const auto address = reinterpret_cast<std::uintptr_t>(result.data());
  const std::uintptr_t first = (address + kPage - 1) / kPage * kPage, last = (address + bytes) / kPage * kPage;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a wish: nothing depends on it
  return result;
}

template Matrix<float> large_matrix(Index, Index);
template Matrix<double> large_matrix(Index, Index);

}  // namespace ansatz
