// What a comparison says on the terminal.
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// Accuracies (or R²) of every model, then the correlations with the initial-weights baseline beside. `width`: columns
/// of the terminal; 0: as wide as it is.
std::string summary_table(const RunRecord& record, std::size_t width);

}  // namespace ansatz::experiments
