// What the validation rows said of the values that were tried.
#pragma once

#include <filesystem>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// The score on the validation rows, a plot a key: of one key a curve; of two, a curve for each value of the other (of
/// up to eight); of more, the best that each value reaches. Keys whose values are no numbers are drawn over their
/// places in the list. Nothing where there is nothing to draw.
void draw_tuning(const TuningRecord& tuning, const std::filesystem::path& file);

/// The same over two keys with at least three values each, as a heat map (of the logarithm of an error). Nothing for
/// other grids, or where a cell has no score.
void draw_tuning_map(const TuningRecord& tuning, const std::filesystem::path& file);

}  // namespace ansatz::experiments
