// The numbers of a sweep as a tidy table.
#pragma once

#include <string>

#include "core/record/sweep/sweep_record.h"

namespace ansatz::experiments {

/// A row a cell and seed, in the order of the grid: cell (from 0), seed, the value of every key that changes, every
/// number (empty where the run has none), seconds (empty if not done) and status (done, failed, missing).
std::string sweep_csv(const SweepRecord& sweep);

}  // namespace ansatz::experiments
