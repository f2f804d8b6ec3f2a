#include "core/machine/thread_count.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/machine/control_groups.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

/// The number that the variable begins with: OMP_NUM_THREADS is a list, of which the first counts here.
std::optional<double> from_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  while (*text == ' ' || *text == '\t') ++text;
  int value = 0;
  const auto [rest, error] = std::from_chars(text, text + std::strlen(text), value);
  return error == std::errc() && value > 0 ? std::optional<double>(value) : std::nullopt;
}

/// The CPU time that the group may use, in cores; nothing if it is not limited.
std::optional<double> cpu_time(const ControlGroup& group) {
  std::vector<double> quota_and_period = group.numbers("cpu.max");
  if (group.version == 1) {
    quota_and_period = group.numbers("cpu.cfs_quota_us");  // -1: unlimited
    for (const double period : group.numbers("cpu.cfs_period_us")) quota_and_period.push_back(period);
  }
  if (quota_and_period.size() != 2 || !(quota_and_period[0] > 0) || !(quota_and_period[1] > 0)) return std::nullopt;
  return quota_and_period[0] / quota_and_period[1];
}

void limit(ThreadCount& least, std::optional<double> cores, const std::string& name) {
  if (!cores || std::ceil(*cores) >= least.count) return;
  least = {std::max(1, static_cast<int>(std::ceil(*cores))), name};
}

}  // namespace

ThreadCount usable_processors(const fs::path& root) {
  ThreadCount least{std::max(1, omp_get_num_procs()), "the cores"};
  for (const ControlGroup& group : control_groups("cpu", root))
    limit(least, cpu_time(group), "the control group " + group.name);
  return least;
}

ThreadCount default_threads(const fs::path& root) {
  ThreadCount least = usable_processors(root);
  for (const char* name :
       {"SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS"})
    limit(least, from_environment(name), name);
  return least;
}

}  // namespace ansatz
