// What the report says of one comparison of models: results, likeness of features, pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace ansatz::viz {

/// Headline, models, pictures of `images`, comparisons and variants of the ansatz.
std::string comparison_sections(const RunRecord& record, const std::filesystem::path& images);

}  // namespace ansatz::viz
