// What the report says of several runs side by side, and of a run of several seeds. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "core/run/finished_run.h"

namespace ansatz::viz {

/// A column a run: the settings in which they differ, test results, likeness of features; their courses over one
/// another, their pictures, and, folded up, all of each.
std::string several_runs(const std::vector<FinishedRun>& runs);

/// Of a run with `repeats`: mean ± standard deviation of every model and comparison, or of the findings; then every
/// repeat.
std::string repeated_run(const FinishedRun& run);

}  // namespace ansatz::viz
