#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/machine/thread_count.h"
#include "tests/support/catch.h"
#include "tests/support/fake_system.h"
#include "tests/support/with_environment.h"

using namespace ansatz;

namespace {

/// Without whatever the caller's environment says.
struct NoVariables {
  WithEnvironment a{"OMP_NUM_THREADS", ""}, b{"OMP_THREAD_LIMIT", ""}, c{"OPENBLAS_NUM_THREADS", ""},
      d{"GOTO_NUM_THREADS", ""}, e{"SLURM_CPUS_PER_TASK", ""};
};

int cores() { return default_threads("/nowhere").count; }

}  // namespace

TEST_CASE("without limits every core is used") {
  const NoVariables none;
  CHECK(default_threads("/nowhere").limited_by == "the cores");
  CHECK(cores() >= 1);
  CHECK(cores() <= sysconf(_SC_NPROCESSORS_CONF));
}

TEST_CASE("each variable limits, and what is no number says nothing") {
  const NoVariables none;
  const int all = cores();
  for (const char* name :
       {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    for (const char* one : {"1", "1,4", " 1"}) {
      const WithEnvironment variable(name, one);
      CHECK(default_threads("/nowhere").count == 1);
      if (all > 1) CHECK(default_threads("/nowhere").limited_by == name);
    }
    for (const char* nothing : {"0", "-1", "many", "", "4294967297", "100000"}) {
      const WithEnvironment variable(name, nothing);
      CHECK(default_threads("/nowhere").count == all);
    }
  }
}

TEST_CASE("what can run at the same time does not depend on variables") {
  const WithEnvironment one("OMP_NUM_THREADS", "1"), also("SLURM_CPUS_PER_TASK", "1");
  const ThreadCount processors = usable_processors("/nowhere");
  CHECK(processors.limited_by == "the cores");
  cpu_set_t allowed;
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  CHECK(processors.count == CPU_COUNT(&allowed));
  const FakeSystem half("0::/job\n", kVersion2Mounts);
  half.write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  CHECK(usable_processors(half.root()).count == 1);
}

TEST_CASE("CPU time of control groups, rounded up to whole cores") {
  const NoVariables none;
  const int all = cores();
  if (all < 2) return;
  const FakeSystem two("0::/slice/job\n", kVersion2Mounts);
  two.write("sys/fs/cgroup/slice/job/cpu.max", "max 100000\n");
  CHECK(default_threads(two.root()).count == all);
  two.write("sys/fs/cgroup/slice/cpu.max", "50000 100000\n");
  CHECK(default_threads(two.root()).count == 1);
  CHECK(default_threads(two.root()).limited_by == "the control group /slice");
  two.write("sys/fs/cgroup/slice/cpu.max", "110000 100000\n");
  CHECK(default_threads(two.root()).count == 2);
  const FakeSystem one("3:cpu,cpuacct:/job\n", kVersion1Mounts);
  one.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  one.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  CHECK(default_threads(one.root()).count == all);
  one.write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "100000\n");
  CHECK(default_threads(one.root()).count == 1);
}
