// What was tried to choose options, for the terminal.
#pragma once

#include <string>

#include "core/record/tuning_record.h"

namespace ansatz::experiments {

/// A row a cell: its values, its score on the validation rows, seconds, and a mark at the chosen one. Of many cells
/// only the best ones and how many others there are.
std::string tuning_table(const TuningRecord& tuning);

}  // namespace ansatz::experiments
