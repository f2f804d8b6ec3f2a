// OpenBLAS sets itself up before main() and waits for ever where its buffers do not fit under `ulimit -v`. So that is
// looked at before any library has been set up.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

constexpr rlim_t kBuffer = rlim_t(128) << 20;  // of OpenBLAS, one a thread and one for the caller
constexpr rlim_t kLibraries = rlim_t(256) << 20;

rlim_t address_space_used() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return rlim_t(pages) * 4096;
}

rlim_t blas_threads() {
  for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const char* value = std::getenv(name); value != nullptr && std::atoi(value) > 0)
      return rlim_t(std::atoi(value));
  return rlim_t(sysconf(_SC_NPROCESSORS_ONLN));
}

void require_address_space(int, char**, char**) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const rlim_t needed = address_space_used() + (blas_threads() + 1) * kBuffer + kLibraries;
  if (needed <= limit.rlim_cur) return;
  std::fprintf(
      stderr,
      "ansatz: the address space of %lu MB (ulimit -v) leaves no memory to work with; allow at least %lu MB, or "
      "set OMP_NUM_THREADS=1\n",
      static_cast<unsigned long>(limit.rlim_cur >> 20), static_cast<unsigned long>(needed >> 20));
  _exit(4);
}

}  // namespace

// Runs before the constructors of shared libraries, which is why it is not in main().
__attribute__((section(".preinit_array"), used)) void (*ansatz_require_address_space)(int, char**,
                                                                                      char**) = require_address_space;
