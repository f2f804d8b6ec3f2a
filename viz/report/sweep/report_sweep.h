// What the report says of a sweep. Internal to viz/.
#pragma once

#include <filesystem>
#include <string>

#include "core/record/sweep/sweep_record.h"

namespace ansatz::viz {

/// What is to be known first, the figures, the table of cells and all numbers. `images`: the folder of its figures.
std::string sweep_sections(const SweepRecord& sweep, const std::filesystem::path& images);

}  // namespace ansatz::viz
