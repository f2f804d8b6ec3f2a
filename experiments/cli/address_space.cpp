// OpenBLAS sets itself up before main() and waits for ever where its buffers do not fit under `ulimit -v` or
// `ulimit -d`. So that is looked at before any library has been set up.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

constexpr rlim_t kBuffer = rlim_t(128) << 20;  // of OpenBLAS, one a thread and one for the caller
constexpr rlim_t kLibraries = rlim_t(256) << 20;

/// The number of that index in /proc/self/statm, in bytes.
rlim_t memory_used(int index) {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    for (int i = 0; i <= index; ++i)
      if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE));
}

/// As OpenBLAS chooses it.
rlim_t blas_threads() {
  const long cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"})
    if (const char* value = std::getenv(name); value != nullptr && std::atoi(value) > 0)
      return rlim_t(std::min(long(std::atoi(value)), cores));
  return rlim_t(cores);
}

void require_room(__rlimit_resource resource, int used, const char* what, char option) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const rlim_t needed = memory_used(used) + (blas_threads() + 1) * kBuffer + kLibraries;
  if (needed <= limit.rlim_cur) return;
  std::fprintf(stderr,
               "ansatz: the %s of %lu MB (ulimit -%c) leaves no memory to work with; allow at least %lu MB, or set "
               "OMP_NUM_THREADS=1\n",
               what, static_cast<unsigned long>(limit.rlim_cur >> 20), option,
               static_cast<unsigned long>(needed >> 20));
  _exit(4);
}

void require_address_space(int, char**, char**) {
  require_room(RLIMIT_AS, 0, "address space", 'v');
  require_room(RLIMIT_DATA, 5, "data segment", 'd');
}

}  // namespace

// Runs before the constructors of shared libraries, which is why it is not in main().
__attribute__((section(".preinit_array"), used)) void (*ansatz_require_address_space)(int, char**,
                                                                                      char**) = require_address_space;
