// What a sweep leaves in its folder beside its cells (docs/outputs.md).
#pragma once

#include <filesystem>

#include "core/record/sweep/sweep_record.h"

namespace ansatz::experiments {

/// sweep.csv, images/ and, with these as its figures, metrics.json. Each file appears whole or not at all; those of an
/// earlier state of the sweep are replaced.
void write_sweep(SweepRecord& sweep, const std::filesystem::path& folder);

}  // namespace ansatz::experiments
