#include "core/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace ansatz {
namespace {

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
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - pages * 4096);
}

}  // namespace

double available_memory() {
  const double group = std::min(limit_from_file("/sys/fs/cgroup/memory.max"),
                                limit_from_file("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  return std::min({memory_available(), group, address_space_left()});
}

}  // namespace ansatz
