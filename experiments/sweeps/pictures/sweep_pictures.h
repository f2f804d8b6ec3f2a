// A sweep's numbers as small multiples.
#pragma once

#include <filesystem>
#include <vector>

#include "core/record/sweep/sweep_record.h"

namespace ansatz::experiments {

/// Draws the families of numbers (families_of) into the folder `images`, and says what it drew. Over the first key
/// whose values are numbers; a line for each value of another key, a panel for each combination of the rest; with one
/// key alone a line for each number. Around every mean its standard error over the seeds. Two keys of at least three
/// numbers each also give heat maps. Of a random search a plot for each key. Nothing: no cell is done, or only the seed
/// changes.
std::vector<Figure> draw_sweep(const SweepRecord& sweep, const std::filesystem::path& images);

}  // namespace ansatz::experiments
