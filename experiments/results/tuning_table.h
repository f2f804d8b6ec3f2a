// What was tried to choose options, for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "core/record/tuning_record.h"

namespace ansatz::experiments {

/// A row a cell: its values, its score on the validation rows, seconds, and a mark at the chosen one. Of many cells
/// only the best ones and how many others there are. `width`: as of text_table.
std::string tuning_table(const TuningRecord& tuning, std::size_t width);

}  // namespace ansatz::experiments
