// What the report says of one comparison of models: results, likeness of features, pictures.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace ansatz::viz {

using Json = nlohmann::ordered_json;

std::string number(const Json& value, int digits = 3);    ///< for people; a dash for what is no number
std::string score(const Json& model, const char* split);  ///< "84.50 %", or R²; a dash where there is none
const Json* find_pair(const Json& metrics, const std::string& a, const std::string& b);  ///< null: not compared

/// Headline, models, pictures of `images`, comparisons and variants of the ansatz; `metrics`: docs/outputs.md.
std::string comparison_sections(const Json& metrics, const std::filesystem::path& images);

}  // namespace ansatz::viz
