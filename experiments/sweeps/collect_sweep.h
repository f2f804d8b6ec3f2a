// What the cells of a sweep have left in their run directories so far, as one record.
#pragma once

#include <filesystem>
#include <string>

#include "core/record/sweep/sweep_record.h"
#include "experiments/sweeps/sweep_config.h"

namespace ansatz::experiments {

/// <sweep>/cells/<label>.yaml: the config that a cell runs by.
std::filesystem::path cell_file(const std::filesystem::path& sweep, const std::string& label);
/// <sweep>/cells/<label>: its run directory.
std::filesystem::path cell_folder(const std::filesystem::path& sweep, const std::string& label);

/// Reads every cell in `folder`. One that ended in an error, or whose files are damaged, has failed and says why; one
/// that has not been run, or was cut off, is missing.
SweepRecord collect_sweep(const SweepConfig& sweep, const std::filesystem::path& folder);

/// For a cell that is not done and whose folder does not say why.
void mark_failed(SweepCell& cell, const std::string& why);

}  // namespace ansatz::experiments
