// What a running experiment is handed, and how it tells its progress.
#pragma once

#include <optional>
#include <string>

#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/run/run_directory.h"

namespace ansatz::experiments {

struct RunContext {
  const RunDirectory& directory;
  RandomStream stream;  ///< root of all named streams of this run
  bool quiet = false;
};

/// One stage's progress: on a terminal a line that rewrites itself with rate and remaining time and fits the window as
/// it is then, otherwise a plain line now and then. Writes to stderr; stdout belongs to results. A line that is not
/// finished ends with the object, so that what is said next (an error, an interruption) has a line of its own.
class Progress {
 public:
  Progress(std::string stage, Index total, std::string unit, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `seconds_left`: where the caller knows better than by the number of units that are done.
  void update(Index done, const std::string& note = "", std::optional<double> seconds_left = {});
  void finish(const std::string& note = "");  ///< "network: 50 epochs in 42 s; note"

 private:
  std::string line(Index done, const std::string& note, std::optional<double> seconds_left) const;

  std::string stage_, unit_;
  Index total_, done_ = 0;
  Index first_ = -1;  ///< where this process began (a resumed run does not start at 0)
  bool quiet_;
  bool line_is_open_ = false;  ///< on a terminal: the next line replaces it
  Stopwatch watch_;
  double last_shown_ = -1e9;
};

/// "3 min 05 s", "42 s", "0.8 s".
std::string format_seconds(double seconds);
/// "1.2 GB", "340 MB".
std::string format_bytes(double bytes);

}  // namespace ansatz::experiments
