// A sweep as text for a terminal: what it will cost, and what it found.
#pragma once

#include <string>

#include "core/record/sweep/sweep_record.h"
#include "experiments/sweeps/sweep_config.h"

namespace ansatz::experiments {

/// A row a cell, and the sum over all of them, at `flops_rate` flops a second on all threads together.
std::string describe_sweep(const SweepConfig& sweep, double flops_rate, std::size_t width);

/// A row a cell: its values and the numbers that families_of() chooses, as mean ± standard error over its seeds; then
/// what is to be known of them. In `width` columns of a terminal; 0: as wide as it is.
std::string sweep_table(const SweepRecord& sweep, std::size_t width);

/// "3 of 12 cells are missing: 004, 007, 008"; "" if none has that status.
std::string cells_with(const SweepRecord& sweep, SweepStatus status);

}  // namespace ansatz::experiments
