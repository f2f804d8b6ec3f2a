// A pool of processes: command lines that run beside each other as far as processors and memory allow.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::experiments {

/// Of the memory that is free, for all jobs that run at the same time.
inline constexpr double kShareOfMemory = 0.9;
/// What a job takes beside its flops: to start the program and to read its data.
inline constexpr double kStartFlops = 5e9;

/// The program that runs, as the first argument of a command line.
inline constexpr const char* kThisProgram = "/proc/self/exe";

struct Job {
  std::string name;                    ///< for people
  std::vector<std::string> arguments;  ///< the program first
  double bytes = 0;                    ///< memory that it takes, about
  double weight = 1;                   ///< its time beside that of the others, in any unit; for the time that is left
  std::vector<std::string> environment = {};  ///< NAME=value, besides ours
  Index units = 1;                            ///< of progress that it makes
};

struct JobBudget {
  Index at_once = 1;  ///< processes
  /// For all that run at the same time. A job that alone takes more runs alone.
  double bytes = std::numeric_limits<double>::infinity();
};

struct JobEnd {
  std::size_t job = 0;  ///< its place in the list
  int exit_code = 0;
  std::string error;                  ///< of one that failed: its last line on stderr, or how it was ended
  std::vector<std::string> warnings;  ///< its lines on stderr that begin with "warning: ", without that
  double seconds = 0;
};

/// What is said of the whole while it runs: "benchmark: sets 12/60, 4 min 10 s left; abalone, car".
struct JobProgress {
  std::string stage = "jobs", unit = "jobs";
  bool quiet = false;
  double seconds_per_weight = 0;  ///< of a job's weight, until one has ended; 0: not known
};

/// Runs all, beginning in the order given, and calls `on_end` (in this thread) as each ends, however it ends. Where
/// the next one does not fit the memory beside those that run, a later one that does may begin before it. An
/// interruption of this process, or an exception of on_end, is passed on to the jobs (SIGTERM), which are waited for;
/// then Interrupted, or that exception.
void run_jobs(const std::vector<Job>& jobs, const JobBudget& budget, const JobProgress& shown,
              const std::function<void(const JobEnd&)>& on_end);

}  // namespace ansatz::experiments
