// What the report says of one comparison of models: results, likeness of features, pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace ansatz::viz {

std::string number(double value, int digits = 3);          ///< for people; a dash for what is not finite
std::string score(const std::optional<Metrics>& metrics);  ///< "84.50 %", or R²; a dash where there is none
std::string readable(const FeatureId& id);  ///< HTML: "network W₁ᵀW₁", where the file says "network.nfm"

/// Headline, models, pictures of `images`, comparisons and variants of the ansatz.
std::string comparison_sections(const RunRecord& record, const std::filesystem::path& images);

}  // namespace ansatz::viz
