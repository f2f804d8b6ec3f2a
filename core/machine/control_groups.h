// The control groups of Linux that this process is in: what containers, batch systems and systemd limit jobs with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ansatz {

struct ControlGroup {
  int version = 2;               ///< of the interface: 1 (a hierarchy a controller) or 2 (one for all)
  std::filesystem::path folder;  ///< as mounted, e.g. /sys/fs/cgroup/memory/slurm/job_7
  std::string name;              ///< as the system calls it: "/slurm/job_7"

  /// The numbers that one of its files begins with, "max" as infinity; none if there is no such file.
  std::vector<double> numbers(const std::string& file) const;
  /// The number behind `key` in a file of "key number" lines.
  std::optional<double> number(const std::string& file, const std::string& key) const;
};

/// Every group whose limits on `controller` ("memory", "cpu") bind this process: its own and all around it up to the
/// mounted root, inner ones first. `root` holds proc/ and sys/; another than "/" is for tests.
std::vector<ControlGroup> control_groups(const std::string& controller, const std::filesystem::path& root = "/");

}  // namespace ansatz
