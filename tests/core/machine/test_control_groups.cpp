#include "core/machine/control_groups.h"
#include "tests/support/catch.h"
#include "tests/support/fake_system.h"

using ansatz::control_groups;

namespace {

/// "version name" of each, inner ones first.
std::vector<std::string> names(const std::string& controller, const FakeSystem& system) {
  std::vector<std::string> list;
  for (const auto& group : control_groups(controller, system.root()))
    list.push_back(std::to_string(group.version) + " " + group.name);
  return list;
}

using List = std::vector<std::string>;

}  // namespace

TEST_CASE("version 1: from the controller's own group to the root") {
  const FakeSystem system("9:name=systemd:/\n5:cpu,cpuacct:/batch\n4:memory:/batch/job 7/step\n0::/\n",
                          kVersion1Mounts);
  std::filesystem::create_directories(system.root() / "sys/fs/cgroup/memory/batch/job 7/step");
  std::filesystem::create_directories(system.root() / "sys/fs/cgroup/cpu,cpuacct/batch");
  std::filesystem::create_directories(system.root() / "sys/fs/cgroup/unified");
  CHECK(names("memory", system) == List{"1 /batch/job 7/step", "1 /batch/job 7", "1 /batch", "1 /", "2 /"});
  CHECK(names("cpu", system) == List{"1 /batch", "1 /", "2 /"});
  CHECK(control_groups("memory", system.root()).front().folder ==
        system.root() / "sys/fs/cgroup/memory/batch/job 7/step");
}

TEST_CASE("version 2: one hierarchy for all") {
  const FakeSystem system("0::/user.slice/user-1000.slice\n", kVersion2Mounts);
  std::filesystem::create_directories(system.root() / "sys/fs/cgroup/user.slice/user-1000.slice");
  CHECK(names("memory", system) == List{"2 /user.slice/user-1000.slice", "2 /user.slice", "2 /"});
  CHECK(names("cpu", system) == names("memory", system));
}

TEST_CASE("in a container, only what is mounted is there") {
  const std::string mounts =
      "35 31 0:32 /docker/ab /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
      "36 31 0:33 /docker/ab /mnt/with\\040blank ro - cgroup cgroup rw,cpu\n";
  const FakeSystem own("4:memory:/docker/ab/inner\n3:cpu:/docker/ab\n", mounts);
  std::filesystem::create_directories(own.root() / "sys/fs/cgroup/memory/inner");
  CHECK(names("memory", own) == List{"1 /docker/ab/inner", "1 /docker/ab"});
  CHECK(control_groups("cpu", own.root()).front().folder == own.root() / "mnt/with blank/");
  // A group outside of the namespace, and one that is not mounted here: the mounted one is the nearest that is known.
  for (const char* other : {"4:memory:/../../elsewhere\n", "4:memory:/docker/cd\n", "4:memory:/\n"}) {
    const FakeSystem system(other, mounts);
    CHECK(names("memory", system) == List{"1 /docker/ab"});
  }
}

TEST_CASE("no control groups, or files that say nothing") {
  CHECK(names("memory", FakeSystem("", "")).empty());
  CHECK(names("memory", FakeSystem("no colons\n4:memory:/a\n", "short line\n")).empty());
  CHECK(control_groups("memory", "/nowhere").empty());
}

TEST_CASE("numbers of a control group's files") {
  const FakeSystem system("0::/\n", kVersion2Mounts);
  system.write("sys/fs/cgroup/cpu.max", "max 100000\n");
  system.write("sys/fs/cgroup/memory.max", "12345\n");
  system.write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 77\nactive_file 8\n");
  const auto group = control_groups("memory", system.root()).front();
  CHECK(group.numbers("cpu.max") == std::vector<double>{std::numeric_limits<double>::infinity(), 100000});
  CHECK(group.numbers("memory.max") == std::vector<double>{12345});
  CHECK(group.numbers("memory.high").empty());
  CHECK(group.number("memory.stat", "inactive_file") == 77.0);
  CHECK_FALSE(group.number("memory.stat", "nothing"));
}
