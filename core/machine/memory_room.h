// How much of the machine's memory this process may still take, and which limit decides that.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz {

struct MemoryRoom {
  double bytes = 0;        ///< that this process may still take; infinity if nothing limits it
  std::string limited_by;  ///< "the machine", "the control group /slurm/job_7 of 200 MB", "ulimit -v", "ulimit -d"
};

/// The least of these:
/// - the machine's free memory;
/// - what each control group around this process leaves of its limit, not counting cached files as used, because the
///   system drops them when memory is needed;
/// - what `ulimit -v` and `ulimit -d` leave.
/// available_memory() of core/machine/memory.h returns its bytes. `root` is the folder that holds proc/ and sys/; tests
/// pass another one than "/".
MemoryRoom memory_room(const std::filesystem::path& root = "/");

}  // namespace ansatz
