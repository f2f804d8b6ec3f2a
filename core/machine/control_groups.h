// The Linux control groups of this process, by which containers, batch systems and systemd limit jobs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ansatz {

struct ControlGroup {
  int version = 2;               ///< of the interface: 1 (one hierarchy for each controller) or 2 (one for all)
  std::filesystem::path folder;  ///< as mounted, e.g. /sys/fs/cgroup/memory/slurm/job_7
  std::string name;              ///< as the system calls it: "/slurm/job_7"

  /// The numbers at the beginning of the group's `file`, "max" as infinity; none if there is no such file.
  std::vector<double> numbers(const std::string& file) const;
  /// The number behind `key` in a file of "key number" lines.
  std::optional<double> number(const std::string& file, const std::string& key) const;
};

/// Every group whose limits on `controller` ("memory", "cpu") bind this process: its own and those around it up to the
/// mounted root, inner ones first. `root` is the folder that holds proc/ and sys/; tests pass another one than "/".
std::vector<ControlGroup> control_groups(const std::string& controller, const std::filesystem::path& root = "/");

}  // namespace ansatz
