// What the report says of one comparison of models: results, likeness of features, pictures.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/files/json_value.h"

namespace ansatz::viz {

// All of these throw DataError naming file and key where the run's metrics.json does not hold what docs/outputs.md
// says.
std::string number(const JsonValue& value, int digits = 3);  ///< for people; a dash for what is no number
std::string number(const std::optional<JsonValue>& value, int digits = 3);  ///< or is not there
std::string score(const JsonValue& model, const char* split);  ///< "84.50 %", or R²; a dash where there is none
/// None: not compared.
std::optional<JsonValue> find_pair(const JsonValue& metrics, const std::string& a, const std::string& b);

/// Headline, models, pictures of `images`, comparisons and variants of the ansatz; `metrics`: docs/outputs.md.
std::string comparison_sections(const JsonValue& metrics, const std::filesystem::path& images);

}  // namespace ansatz::viz
