// What of the machine's memory is left to this process, and who says so.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz {

struct MemoryRoom {
  double bytes = 0;     ///< that this process may still take; infinity where nothing says
  std::string said_by;  ///< "the machine", "the control group /slurm/job_7 of 200 MB", "ulimit -v", "ulimit -d"
};

/// The least of what the machine has free, what every control group around this process leaves (caches of files do not
/// count against it: the system lets go of them), and what `ulimit -v` and `ulimit -d` leave. `root` holds proc/ and
/// sys/; another than "/" is for tests. Its bytes are core/machine/memory.h's available_memory().
MemoryRoom memory_room(const std::filesystem::path& root = "/");

}  // namespace ansatz
