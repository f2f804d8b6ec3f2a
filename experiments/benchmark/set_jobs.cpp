#include "experiments/benchmark/set_jobs.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "core/record/json/run_record_json.h"
#include "core/run/finished_run.h"
#include "core/run/input_digest.h"
#include "core/run/run_directory.h"
#include "experiments/benchmark/set_cost.h"
#include "experiments/jobs/job_pool.h"
#include "experiments/plan.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

/// How many processes beside each other, each on how many threads.
struct Share {
  Index jobs = 1;
  int threads = 1;
};

Share share_of(const BenchmarkOptions& options, std::size_t sets) {
  const Index most = options.jobs > 0 ? options.jobs : threads();
  const Index jobs = std::clamp<Index>(most, 1, std::max<Index>(static_cast<Index>(sets), 1));
  return {jobs, std::max(1, threads() / static_cast<int>(jobs))};
}

fs::path part_of(const std::string& set, const RunContext& run) { return run.directory.path() / "parts" / set; }

/// In single quotes, so that a set may be called null, 1e3 or "a: b".
std::string as_yaml_text(const std::string& name) {
  std::string text = "'";
  for (const char c : name) text.append(c == '\'' ? 2 : 1, c);
  return text + "'";
}

struct SetCost {
  const TableSetSize* set = nullptr;
  Cost cost;

  double flops() const { return kStartFlops + cost.flops; }
};

/// Sets one after the other in one process, as parts of the run. It goes on where one before it was cut off. The number
/// of threads comes by the environment: it may be another one then.
Job job_of(const std::vector<SetCost>& sets, const Share& share, const RunContext& run) {
  Job job;
  job.arguments = {kThisProgram, "run", fs::absolute(run.directory.path() / "config.yaml").string()};
  job.arguments.insert(job.arguments.end(), {"--set", "report=false", "--set", "threads=0"});
  job.weight = 0;
  for (const SetCost& one : sets) {
    job.name += (job.name.empty() ? "" : ", ") + one.set->name;
    job.arguments.insert(job.arguments.end(), {"--each", "benchmark.set=" + as_yaml_text(one.set->name)});
    job.bytes = std::max(job.bytes, kJobBytes + one.cost.working_bytes);
    job.weight += one.flops();
  }
  job.units = static_cast<Index>(sets.size());
  job.arguments.insert(job.arguments.end(),
                       {"--out", fs::absolute(run.directory.path() / "parts").string(), "--resume"});
  job.environment = {fmt::format("OMP_NUM_THREADS={}", share.threads)};
  return job;
}

/// The most expensive first. Starting the program takes half a second, in which most sets of the UCI study are done: so
/// the small ones come several to a job.
std::vector<Job> jobs_of(const std::vector<const TableSetSize*>& sets, const BenchmarkOptions& options,
                         const Share& share, const RunContext& run) {
  constexpr std::size_t kRounds = 3;  // of jobs of small sets, so that all processes end at about the same time
  std::vector<SetCost> costs;
  for (const TableSetSize* set : sets) costs.push_back({set, set_cost(*set, options)});
  std::stable_sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.flops() > b.flops(); });
  const auto small =
      std::find_if(costs.begin(), costs.end(), [](const auto& one) { return one.flops() < 4 * kStartFlops; });
  std::vector<Job> jobs;
  for (auto large = costs.begin(); large != small; ++large) jobs.push_back(job_of({*large}, share, run));
  const auto left = static_cast<std::size_t>(costs.end() - small),
             groups = std::min(left, kRounds * static_cast<std::size_t>(share.jobs));
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<SetCost> together;
    for (std::size_t i = group; i < left; i += groups) together.push_back(small[static_cast<std::ptrdiff_t>(i)]);
    jobs.push_back(job_of(together, share, run));
  }
  return jobs;
}

/// What a finished part found.
BenchmarkSet read_part(const fs::path& part) {
  const RunRecord record = record_from_json(read_metrics(part));
  if (!record.benchmark || record.benchmark->sets.size() != 1)
    throw DataError((part / "metrics.json").string() + ": holds no set of a benchmark");
  return record.benchmark->sets.front();
}

BenchmarkSet failed_set(const TableSetSize& size, const std::string& why) {
  BenchmarkSet set;
  set.name = size.name;
  set.failure = why.empty() ? "it ended without a reason" : why;
  set.rows = size.rows;
  set.dimension = size.features;
  set.outputs = size.outputs;
  set.task = size.task;
  return set;
}

/// A line of a job of one set, which may begin with its name.
std::string without_name(const std::string& line, const Job& job) {
  const std::string prefix = job.name + ": ";
  return line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : line;
}

/// The jobs of one benchmark, and what became of them.
class SetJobs {
 public:
  SetJobs(const std::vector<TableSetSize>& sets, const BenchmarkOptions& options, const RunContext& run)
      : sets_(sets),
        options_(options),
        run_(run),
        share_(share_of(options, sets.size())),
        budget_{share_.jobs, kShareOfMemory * available_memory()} {}

  /// Sets that an earlier run has finished stay as they are, whatever has become of their files.
  void warn_of_changed_data() const {
    for (const TableSetSize& set : sets_) {
      const fs::path part = part_of(set.name, run_);
      try {
        if (is_finished(part)) require_same_data(part);
      } catch (const DataError& error) {
        spdlog::warn("{}: {}; its scores are kept", set.name, error.what());
      }
    }
  }

  void run_all() { run(jobs_of(unfinished(), options_, share_, run_), "benchmark"); }

  /// Of several sets in one process the one that failed says why when it is alone; others may not have been reached.
  void run_alone_what_is_left() {
    std::vector<Job> jobs;
    for (const TableSetSize* set : unfinished())
      if (failures_.count(set->name) == 0) jobs.push_back(job_of({{set, set_cost(*set, options_)}}, share_, run_));
    run(jobs, "benchmark, once more");
  }

  std::vector<BenchmarkSet> results() const {
    std::vector<BenchmarkSet> results;
    for (const TableSetSize& set : sets_) {
      const auto failure = failures_.find(set.name);
      results.push_back(failure == failures_.end() ? read_part(part_of(set.name, run_))
                                                   : failed_set(set, failure->second));
    }
    if (failures_.size() == sets_.size())
      throw DataError("no set could be run; " + results.front().name + ": " + results.front().failure);
    return results;
  }

 private:
  void run(const std::vector<Job>& jobs, const std::string& stage) {
    if (jobs.empty()) return;
    const double rate = stage_rate() * share_.threads / threads();
    run_jobs(jobs, budget_, {stage, "sets", run_.quiet, 1 / rate}, [&](const JobEnd& end) {
      const Job& job = jobs[end.job];
      for (const std::string& text : end.warnings)
        spdlog::warn("{}{}", job.units > 1 ? "" : job.name + ": ", job.units > 1 ? text : without_name(text, job));
      if (end.exit_code == 0 || job.units > 1) return;
      failures_[job.name] = without_name(end.error, job);
      spdlog::error("{} is left out: {}", job.name, failures_[job.name]);
    });
  }

  std::vector<const TableSetSize*> unfinished() const {
    std::vector<const TableSetSize*> left;
    for (const TableSetSize& set : sets_)
      if (!is_finished(part_of(set.name, run_))) left.push_back(&set);
    return left;
  }

  const std::vector<TableSetSize>& sets_;
  const BenchmarkOptions& options_;
  const RunContext& run_;
  const Share share_;
  const JobBudget budget_;
  std::map<std::string, std::string> failures_;
};

}  // namespace

std::vector<BenchmarkSet> run_sets(const std::vector<TableSetSize>& sets, const BenchmarkOptions& options,
                                   const RunContext& run) {
  SetJobs jobs(sets, options, run);
  jobs.warn_of_changed_data();
  jobs.run_all();
  jobs.run_alone_what_is_left();
  return jobs.results();
}

}  // namespace ansatz::experiments
