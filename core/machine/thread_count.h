// How many threads a process takes that was not told.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz {

struct ThreadCount {
  int count = 1;
  std::string said_by;  ///< "the cores", "OMP_NUM_THREADS", "the control group /slurm/job_7", ...
};

/// How many threads can work at the same time: the least of the cores this process may run on and the CPU time that
/// every control group around it allows (in cores, rounded up). `root` holds proc/ and sys/; another than "/" is for
/// tests.
ThreadCount usable_processors(const std::filesystem::path& root = "/");

/// The least of usable_processors() and the environment's OMP_NUM_THREADS (first number), OMP_THREAD_LIMIT,
/// OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS and SLURM_CPUS_PER_TASK; values that are no positive numbers say nothing.
ThreadCount default_threads(const std::filesystem::path& root = "/");

}  // namespace ansatz
