#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/machine/memory.h"
#include "core/machine/memory_room.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/fake_system.h"

using namespace ansatz;

namespace {

constexpr double kMB = 1e6;

/// 8 GB are free on the machine.
struct Machine : FakeSystem {
  Machine(const std::string& groups, const std::string& mounts) : FakeSystem(groups, mounts) {
    write("proc/meminfo", "MemTotal: 16000000 kB\nMemFree: 1000 kB\nMemAvailable: 7812500 kB\n");
  }
};

}  // namespace

TEST_CASE("without limits the machine's free memory counts") {
  for (const char* mounts : {kVersion1Mounts, kVersion2Mounts, ""}) {
    const Machine system("4:memory:/\n0::/\n", mounts);
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // how version 1 says "none"
    system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000000\n");
    const MemoryRoom room = memory_room(system.root());
    CHECK(room.bytes == 8e9);
    CHECK(room.limited_by == "the machine");
  }
}

TEST_CASE("version 1: every group up to the root is a limit, caches do not count") {
  const Machine system("4:memory:/job/step\n", kVersion1Mounts);
  const std::string job = "sys/fs/cgroup/memory/job/", step = job + "step/";
  system.write(step + "memory.limit_in_bytes", "500000000\n");
  system.write(step + "memory.usage_in_bytes", "100000000\n");
  CHECK(memory_room(system.root()).bytes == 400 * kMB);
  system.write(job + "memory.limit_in_bytes", "200000000\n");
  system.write(job + "memory.usage_in_bytes", "150000000\n");
  CHECK(memory_room(system.root()).bytes == 50 * kMB);
  CHECK(memory_room(system.root()).limited_by == "the control group /job of 200 MB");
  // The counters without "total_" leave out the groups below, which the usage does not.
  system.write(job + "memory.stat", "inactive_file 1\ntotal_inactive_file 60000000\ntotal_active_file 30000000\n");
  CHECK(memory_room(system.root()).bytes == 140 * kMB);
  system.write(step + "memory.stat", "hierarchical_memory_limit 190000000\n");  // of a group that is not seen
  CHECK(memory_room(system.root()).bytes == 90 * kMB);
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000\n");
  system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "7000000\n");  // beyond it already
  CHECK(memory_room(system.root()).bytes == 0);
}

TEST_CASE("version 2: max and high of every group up to the root") {
  const Machine system("0::/slice/job\n", kVersion2Mounts);
  const std::string slice = "sys/fs/cgroup/slice/", job = slice + "job/";
  system.write(job + "memory.max", "max\n");
  system.write(job + "memory.current", "100000000\n");
  CHECK(memory_room(system.root()).bytes == 8e9);
  system.write(slice + "memory.max", "700000000\n");
  system.write(slice + "memory.current", "300000000\n");
  system.write(slice + "memory.stat", "inactive_file 150000000\nactive_file 50000000\nfile 1\n");
  CHECK(memory_room(system.root()).bytes == 600 * kMB);
  system.write(job + "memory.high", "450000000\n");
  CHECK(memory_room(system.root()).bytes == 350 * kMB);
  CHECK(memory_room(system.root()).limited_by == "the control group /slice/job of 450 MB");
}

TEST_CASE("ulimit -v and ulimit -d are limits") {
#ifdef __SANITIZE_ADDRESS__
  WARN("skipped: the address sanitizer itself takes terabytes of address space");
  return;
#endif
  for (const auto& [resource, name] : {std::pair(RLIMIT_AS, "ulimit -v"), std::pair(RLIMIT_DATA, "ulimit -d")}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit limit{4000000000, 4000000000};
      setrlimit(resource, &limit);
      const MemoryRoom room = memory_room(Machine("", "").root());
      ::_exit(room.limited_by == name && room.bytes < 4e9 && room.bytes > 1e8 ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    INFO(name);
    CHECK(status == 0);
  }
}

TEST_CASE("this machine has memory, and something says how much") {
  CHECK(available_memory() > 1e7);
  CHECK_FALSE(memory_room().limited_by.empty());
}
