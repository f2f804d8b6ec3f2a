#include "core/machine/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>

#include "core/base/error.h"
#include "core/machine/memory_room.h"

namespace ansatz {
namespace {

constexpr std::uintptr_t kPage = 4096, kHugePage = std::uintptr_t(2) << 20;

}  // namespace

double available_memory() { return memory_room().bytes; }

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
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // may fail without harm
  return result;
}

template Matrix<float> large_matrix(Index, Index);
template Matrix<double> large_matrix(Index, Index);

}  // namespace ansatz
