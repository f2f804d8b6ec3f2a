// What the report says of options that were chosen on the validation rows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/record/tuning_record.h"

namespace ansatz::viz {

/// What was chosen, the picture of `images`, and every cell with its score, folded up. Empty where nothing was tuned.
std::string tuning_section(const std::optional<TuningRecord>& tuning, const std::filesystem::path& images);

}  // namespace ansatz::viz
