#include "core/machine/memory_room.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "core/machine/control_groups.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
/// The address space that a thread reserves when it first uses OpenBLAS and malloc. OpenBLAS waits for ever if it
/// cannot get its share, so this much is kept back for each thread.
constexpr double kThreadBytes = 192.0 * (1 << 20);

double megabytes(double bytes) { return bytes / 1e6; }

MemoryRoom free_on_machine(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  std::string key;
  for (double kilobytes = 0; file >> key >> kilobytes; file.ignore(64, '\n')) {
    if (key == "MemAvailable:") return {kilobytes * 1024, "the machine"};
  }
  return {kUnlimited, "nothing"};
}

/// The bytes of cached files, which the system drops when the group needs memory.
double reclaimable(const ControlGroup& group) {
  const std::string prefix = group.version == 1 ? "total_" : "";  // including the groups below, as the usage does
  return group.number("memory.stat", prefix + "inactive_file").value_or(0) +
         group.number("memory.stat", prefix + "active_file").value_or(0);
}

double first_number(const ControlGroup& group, const char* file, double fallback) {
  const std::vector<double> numbers = group.numbers(file);
  return numbers.empty() ? fallback : numbers.front();
}

MemoryRoom left_by(const ControlGroup& group) {
  const bool old = group.version == 1;
  double limit = first_number(group, old ? "memory.limit_in_bytes" : "memory.max", kUnlimited);
  if (old)  // includes the groups around a container, which cannot be seen from inside it
    limit = std::min(limit, group.number("memory.stat", "hierarchical_memory_limit").value_or(kUnlimited));
  else  // above memory.high the system slows the process down to a crawl
    limit = std::min(limit, first_number(group, "memory.high", kUnlimited));
  const double used = first_number(group, old ? "memory.usage_in_bytes" : "memory.current", 0) - reclaimable(group);
  return {std::max(0.0, limit - std::max(0.0, used)),
          fmt::format("the control group {} of {:.0f} MB", group.name, megabytes(limit))};
}

/// What a limit of the process leaves. `used_pages`: which number of /proc/self/statm counts against it.
MemoryRoom left_by(__rlimit_resource_t resource, int used_pages, const char* name, const fs::path& root) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {kUnlimited, name};
  std::ifstream statm(root / "proc/self/statm");
  double pages = 0;
  for (int i = 0; i <= used_pages; ++i) statm >> pages;
  const double reserved = kThreadBytes * threads();
  return {std::max(0.0, static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) -
                            reserved),
          name};
}

}  // namespace

MemoryRoom memory_room(const fs::path& root) {
  std::vector<MemoryRoom> rooms = {free_on_machine(root), left_by(RLIMIT_AS, 0, "ulimit -v", root),
                                   left_by(RLIMIT_DATA, 5, "ulimit -d", root)};
  for (const ControlGroup& group : control_groups("memory", root)) rooms.push_back(left_by(group));
  return *std::min_element(rooms.begin(), rooms.end(),
                           [](const MemoryRoom& a, const MemoryRoom& b) { return a.bytes < b.bytes; });
}

}  // namespace ansatz
