#include "experiments/sweeps/slurm_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/shell_word.h"

namespace ansatz::experiments {
namespace {

constexpr Index kMostTasks = 1000;  ///< SLURM's MaxArraySize is 1001 unless a cluster raises it
constexpr double kTimesSlower = 4, kMoreSeconds = 600, kTimesLarger = 1.25, kMoreBytes = 256e6;
constexpr double kMinute = 60, kBlock = 64e6;

std::string time_limit(double seconds) {
  const auto minutes = static_cast<long>(std::ceil(seconds / kMinute));
  const std::string clock = fmt::format("{:02}:{:02}:00", minutes / 60 % 24, minutes % 60);
  return minutes >= 24 * 60 ? fmt::format("{}-{}", minutes / (24 * 60), clock) : clock;
}

/// For an option of sbatch, in quotes.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += std::string(c == '"' || c == '\\' ? "\\" : "") + c;
  return out;
}

/// In a name of a file % begins that of a number.
std::string escaped_path(const std::filesystem::path& path) {
  std::string out;
  for (const char c : escaped(path.string())) out += std::string(c == '%' ? "%" : "") + c;
  return out;
}

std::string options(const SweepConfig& sweep, const SlurmRequest& request, const std::filesystem::path& folder,
                    Index at_once) {
  const std::string together = at_once > 0 ? fmt::format("%{}", at_once) : "";
  return fmt::format(
      "#SBATCH --job-name=\"{}\"\n"
      "#SBATCH --array=0-{}{}\n"
      "#SBATCH --ntasks=1 --cpus-per-task={}\n"
      "# Of the largest cell, by `ansatz plan`: its memory x {} + {:.0f} MB, its time here x {:.0f} + {:.0f} minutes.\n"
      "#SBATCH --mem={:.0f}M\n"
      "#SBATCH --time={}\n"
      "#SBATCH --requeue --open-mode=append\n"
      "#SBATCH --signal=USR1@120\n"
      "#SBATCH --output=\"{}/logs/%a.log\"\n",
      escaped(sweep.whole.common.name), request.tasks - 1, together, request.threads, kTimesLarger, kMoreBytes / 1e6,
      kTimesSlower, kMoreSeconds / kMinute, std::ceil(request.bytes / 1e6), time_limit(request.seconds),
      escaped_path(folder));
}

}  // namespace

SlurmRequest slurm_request(const SweepConfig& sweep, double flops_rate) {
  SlurmRequest request;
  const auto cells = static_cast<Index>(sweep.cells.size());
  request.cells_per_task = (cells + kMostTasks - 1) / kMostTasks;
  request.tasks = (cells + request.cells_per_task - 1) / request.cells_per_task;
  double seconds = 0, bytes = 0;
  for (const CellConfig& cell : sweep.cells) {
    const CommonOptions& common = cell.config.common;
    request.threads = std::max(request.threads, common.threads);
    seconds = std::max(seconds, static_cast<double>(common.repeats) * cell.plan.flops() /
                                    (flops_rate * static_cast<double>(std::max(1, common.threads))));
    bytes = std::max(bytes, cell.plan.peak_bytes());
  }
  request.seconds = static_cast<double>(request.cells_per_task) * (kTimesSlower * seconds) + kMoreSeconds;
  request.bytes = kBlock * std::ceil((kTimesLarger * bytes + kMoreBytes) / kBlock);
  return request;
}

std::string slurm_script(const SweepConfig& sweep, const SlurmRequest& request, const std::filesystem::path& program,
                         const std::filesystem::path& folder, Index at_once) {
  const auto cells = sweep.cells.size();
  return "#!/bin/bash\n" + options(sweep, request, folder, at_once) +
         fmt::format(
             "# {} cells; `ansatz sweep {} --collect` gathers what is done.\n"
             "cd {} || exit 2\n"
             "worst=0\n"
             "for ((cell = SLURM_ARRAY_TASK_ID * {per}; cell < (SLURM_ARRAY_TASK_ID + 1) * {per} && cell < {}; "
             "++cell)); do\n"
             "  label=$(printf '%0{}d' \"$cell\")\n"
             "  srun --cpus-per-task=\"$SLURM_CPUS_PER_TASK\" {} run \"cells/$label.yaml\" --out "
             "\"cells/$label\" --resume --quiet\n"
             "  code=$?\n"
             "  if [[ $code -eq 130 ]]; then  # its state is saved\n"
             "    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"\n"
             "    exit 130\n"
             "  fi\n"
             "  if [[ $code -ne 0 ]]; then worst=$code; fi\n"
             "done\n"
             "exit $worst\n",
             cells, shell_word(folder.string()), shell_word(folder.string()), cells, sweep.cells.front().label.size(),
             shell_word(program.string()), fmt::arg("per", request.cells_per_task));
}

}  // namespace ansatz::experiments
