// How many threads a process uses if the user gives no number.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz {

struct ThreadCount {
  int count = 1;
  std::string limited_by;  ///< "the cores", "OMP_NUM_THREADS", "the control group /slurm/job_7", ...
};

/// How many threads can work at the same time: the least of the cores this process may run on and the CPU time that
/// every control group around it allows (in cores, rounded up). `root` is the folder that holds proc/ and sys/; tests
/// pass another one than "/".
ThreadCount usable_processors(const std::filesystem::path& root = "/");

/// The least of usable_processors() and the environment's OMP_NUM_THREADS (first number), OMP_THREAD_LIMIT,
/// OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS and SLURM_CPUS_PER_TASK; a value that is not a positive number is ignored.
ThreadCount default_threads(const std::filesystem::path& root = "/");

}  // namespace ansatz
