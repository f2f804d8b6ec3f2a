// A sweep as an array job of SLURM.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/sweeps/sweep_config.h"

namespace ansatz::experiments {

struct SlurmRequest {
  double seconds = 0, bytes = 0;  ///< of the cell that needs most, with margin
  int threads = 1;
  Index tasks = 1;           ///< of the array
  Index cells_per_task = 1;  ///< more than one where there are more cells than an array may have tasks
};

/// What the array asks for: four times the seconds that the plan comes to at `flops_rate` flops a second and thread,
/// and ten minutes (to a minute); five quarters of the planned bytes, and a quarter of a gigabyte (to 64 MB).
SlurmRequest slurm_request(const SweepConfig& sweep, double flops_rate);

/// The script for `sbatch`: a task runs `program` on its cells in `folder`. `at_once`: tasks that may run at the same
/// time; 0: as many as the cluster lets. A task that is preempted or near its limit saves its state and is put back
/// into the queue. Both paths are absolute.
std::string slurm_script(const SweepConfig& sweep, const SlurmRequest& request, const std::filesystem::path& program,
                         const std::filesystem::path& folder, Index at_once);

}  // namespace ansatz::experiments
