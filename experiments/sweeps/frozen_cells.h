// The configs of a sweep's cells as files, fixed when it begins.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/json_value.h"
#include "experiments/sweeps/sweep_config.h"

namespace ansatz::experiments {

/// Writes cells/<label>.yaml for every cell.
void freeze_cells(const SweepConfig& sweep, const std::filesystem::path& folder);

/// `sweep` of manifest.json: how many cells, and a checksum of their configs.
Json frozen_json(const SweepConfig& sweep);

/// The configs of the sweep in `folder`, in their order; empty if none has begun there, or it was cut off before it had
/// written them. ConfigError if one was changed since, or another kind of run is there.
std::vector<std::string> frozen_cells(const std::filesystem::path& folder);

/// Whether a sweep has begun there.
bool is_sweep(const std::filesystem::path& folder);

}  // namespace ansatz::experiments
