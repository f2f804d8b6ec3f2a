// What a comparison says on the terminal.
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// Accuracies (or R²) of every model, then the correlations with the initial-weights baseline beside.
std::string summary_table(const RunRecord& record);

}  // namespace ansatz::experiments
