// The cells of a sweep as processes of this program beside each other.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/sweeps/sweep_config.h"

namespace ansatz::experiments {

struct CellFailure {
  int exit_code = 0;  ///< as this program would have it (docs/outputs.md)
  std::string message;
};

/// Runs `ansatz run` in `folder` on every cell that is not done, the most expensive first, `at_once` of them beside
/// each other as far as memory allows. Returns those that failed, by their number; each is said as it ends.
/// Interrupted, once all have saved their state.
std::map<std::size_t, CellFailure> run_cells(const SweepConfig& sweep, const std::filesystem::path& folder,
                                             Index at_once, bool quiet);

}  // namespace ansatz::experiments
