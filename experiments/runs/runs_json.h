// Runs beside one another as JSON, for `ansatz compare RUN... --json`.
#pragma once

#include <vector>

#include "core/files/json_value.h"
#include "core/run/finished_run.h"

namespace ansatz::experiments {

/// A list of {name, folder, seeds, settings: {key: text}, models: {model: {split: {accuracy, mse, r2: {mean, sd}}}}},
/// with the settings in which they differ.
Json runs_json(const std::vector<FinishedRun>& runs);

}  // namespace ansatz::experiments
