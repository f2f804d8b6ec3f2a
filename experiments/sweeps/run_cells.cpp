#include "experiments/sweeps/run_cells.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "core/run/finished_run.h"
#include "experiments/jobs/job_pool.h"
#include "experiments/plan.h"
#include "experiments/sweeps/collect_sweep.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

double flops_of(const CellConfig& cell) {
  return kStartFlops + static_cast<double>(cell.config.common.repeats) * cell.plan.flops();
}

/// The most expensive first, so that all processes end at about the same time.
std::vector<std::size_t> unfinished_cells(const SweepConfig& sweep, const fs::path& folder) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i)
    if (!is_finished(cell_folder(folder, sweep.cells[i].label))) left.push_back(i);
  std::stable_sort(left.begin(), left.end(),
                   [&](std::size_t a, std::size_t b) { return flops_of(sweep.cells[a]) > flops_of(sweep.cells[b]); });
  return left;
}

Job job_of(const CellConfig& cell, const fs::path& folder) {
  Job job;
  job.name = cell.label;
  job.arguments = {kThisProgram,
                   "run",
                   fs::absolute(cell_file(folder, cell.label)).string(),
                   "--out",
                   fs::absolute(cell_folder(folder, cell.label)).string(),
                   "--resume",
                   "--quiet"};
  job.bytes = cell.plan.peak_bytes();
  job.weight = flops_of(cell);
  return job;
}

/// The exit code of a cell that another signal or a missing program ended is not one of ours.
CellFailure failure_of(const JobEnd& end) {
  constexpr int kKilled = 128 + SIGKILL, kMemory = 4, kInterrupted = 130, kLastOwn = 5;
  const bool own = end.exit_code <= kLastOwn || end.exit_code == kInterrupted;
  return {own                        ? end.exit_code
          : end.exit_code == kKilled ? kMemory
                                     : 1,
          end.error.empty() ? "it ended without a reason" : end.error};
}

}  // namespace

std::map<std::size_t, CellFailure> run_cells(const SweepConfig& sweep, const fs::path& folder, Index at_once,
                                             bool quiet) {
  const std::vector<std::size_t> left = unfinished_cells(sweep, folder);
  std::vector<Job> jobs;
  for (const std::size_t cell : left) jobs.push_back(job_of(sweep.cells[cell], folder));
  if (!quiet)
    std::fprintf(stderr, "sweep: %zu cells, %zu of them done, %ld at a time on %d thread%s each\n", sweep.cells.size(),
                 sweep.cells.size() - left.size(), static_cast<long>(at_once),
                 sweep.cells.front().config.common.threads, sweep.cells.front().config.common.threads == 1 ? "" : "s");
  std::map<std::size_t, CellFailure> failures;
  const double rate = stage_rate() * sweep.cells.front().config.common.threads / threads();
  run_jobs(jobs, {at_once, kShareOfMemory * available_memory()}, {"sweep", "cells", quiet, 1 / rate},
           [&](const JobEnd& end) {
             if (end.exit_code == 0) return;
             const std::size_t cell = left[end.job];
             failures[cell] = failure_of(end);
             spdlog::error("cell {} ({}): {}", sweep.cells[cell].label, sweep.cells[cell].values,
                           failures[cell].message);
           });
  return failures;
}

}  // namespace ansatz::experiments
