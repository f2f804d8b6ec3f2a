#include "experiments/jobs/job_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <sstream>
#include <thread>

#include "core/base/printable_text.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "experiments/jobs/child_process.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(5);
constexpr int kKilled = 128;  ///< exit codes above: 128 + signal
constexpr int kNoProgram = 127;

std::string how_it_was_killed(int signal) {
  std::string text = fmt::format("ended by signal {} ({})", signal, strsignal(signal));
  if (signal == SIGKILL) text += "; the system may have run out of memory";
  return text;
}

/// `prefix` taken from the front of `line`, if it is there.
bool take_prefix(std::string& line, const std::string& prefix) {
  if (line.compare(0, prefix.size(), prefix) != 0) return false;
  line.erase(0, prefix.size());
  return true;
}

/// What a job's stderr says.
void read_errors(const std::string& text, JobEnd& end) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (take_prefix(line, "warning: ")) {
      end.warnings.push_back(printable(line));
    } else if (!line.empty() && end.exit_code != 0) {
      end.error = line;
    }
  }
  take_prefix(end.error, "ansatz: ");
  end.error = printable(end.error);
}

struct Running {
  std::size_t job = 0;
  ChildProcess process;
  Stopwatch watch;
};

class Pool {
 public:
  Pool(const std::vector<Job>& jobs, const JobBudget& budget, double first_guess)
      : jobs_(jobs), budget_(budget), first_guess_(first_guess) {
    for (std::size_t i = 0; i < jobs.size(); ++i) waiting_.push_back(i);
  }

  bool done() const { return waiting_.empty() && running_.empty(); }

  void begin_what_fits() {
    while (static_cast<Index>(running_.size()) < std::max<Index>(budget_.at_once, 1)) {
      const auto next = std::find_if(waiting_.begin(), waiting_.end(), [&](std::size_t job) {
        return running_.empty() || bytes_ + jobs_[job].bytes <= budget_.bytes;
      });
      if (next == waiting_.end()) return;
      bytes_ += jobs_[*next].bytes;
      running_.push_back({*next, ChildProcess(jobs_[*next].arguments, true, jobs_[*next].environment), {}});
      waiting_.erase(next);
    }
  }

  std::optional<JobEnd> next_end() {
    const auto ended = std::find_if(running_.begin(), running_.end(), [](Running& r) { return r.process.ended(); });
    if (ended == running_.end()) return std::nullopt;
    const ChildResult result = ended->process.wait();
    JobEnd end{ended->job, result.exit_code, "", {}, ended->watch.seconds()};
    read_errors(result.errors, end);
    if (end.exit_code == kNoProgram && end.error.empty())
      end.error = jobs_[end.job].arguments.front() + ": cannot be started";
    if (end.exit_code > kKilled && end.exit_code != kInterruptedCode)
      end.error = how_it_was_killed(end.exit_code - kKilled);
    bytes_ -= jobs_[end.job].bytes;
    finished_seconds_ += end.seconds;
    finished_weight_ += jobs_[end.job].weight;
    finished_ += jobs_[end.job].units;
    running_.erase(ended);
    return end;
  }

  /// All at once, then one after the other is waited for.
  void end_all() {
    for (Running& r : running_) r.process.ask_to_end();
    running_.clear();
  }

  Index finished() const { return finished_; }

  /// By the time that a unit of weight has taken so far. A job that runs is never expected to end at once: one that has
  /// taken longer than its weight says may go on.
  std::optional<double> seconds_left() const {
    constexpr double kLeastShare = 0.25;  // of what it has taken already
    const double each = finished_weight_ > 0 ? finished_seconds_ / finished_weight_ : first_guess_;
    if (!(each > 0)) return std::nullopt;
    double all = 0, longest = 0;
    const auto add = [&](std::size_t job, double spent) {
      const double left = std::max(kLeastShare * spent, jobs_[job].weight * each - spent);
      all += left;
      longest = std::max(longest, left);
    };
    for (const std::size_t job : waiting_) add(job, 0);
    for (const Running& r : running_) add(r.job, r.watch.seconds());
    return std::max(longest, all / static_cast<double>(std::max<Index>(budget_.at_once, 1)));
  }

  std::string names() const {
    std::string text;
    for (const Running& r : running_) text += (text.empty() ? "" : ", ") + jobs_[r.job].name;
    return text;
  }

 private:
  static constexpr int kInterruptedCode = 130;  // a job of this program that was interrupted says so itself

  const std::vector<Job>& jobs_;
  const JobBudget budget_;
  const double first_guess_;
  std::deque<std::size_t> waiting_;
  std::vector<Running> running_;
  double bytes_ = 0, finished_seconds_ = 0, finished_weight_ = 0;
  Index finished_ = 0;  // units
};

}  // namespace

void run_jobs(const std::vector<Job>& jobs, const JobBudget& budget, const JobProgress& shown,
              const std::function<void(const JobEnd&)>& on_end) {
  if (jobs.empty()) return;
  Pool pool(jobs, budget, shown.seconds_per_weight);
  Index units = 0;
  for (const Job& job : jobs) units += job.units;
  Progress progress(shown.stage, units, shown.unit, shown.quiet);
  try {
    while (!pool.done()) {
      throw_if_interrupted();
      pool.begin_what_fits();
      progress.update(pool.finished(), pool.names(), pool.seconds_left());
      const std::optional<JobEnd> end = pool.next_end();
      if (!end) {
        std::this_thread::sleep_for(kLookEvery);
        continue;
      }
      throw_if_interrupted();  // a job that a Ctrl-C has ended, too, has not failed
      on_end(*end);
    }
  } catch (...) {
    pool.end_all();
    throw;
  }
  progress.update(pool.finished());
  progress.finish();
}

}  // namespace ansatz::experiments
