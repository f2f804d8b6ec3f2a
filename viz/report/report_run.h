// What the report says of one run of one seed. Internal to viz/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz::viz {

struct Run {
  std::filesystem::path folder;
  RunRecord record;
  JsonValue manifest;
};
Run run_of(const std::filesystem::path& folder, RunRecord record);

std::string subtitle(const Run& run);      ///< experiment, data, seed, date
std::string run_sections(const Run& run);  ///< all that follows
std::string figures_section(const Run& run);
std::string findings_section(const std::optional<FindingsRecord>& findings);

std::string with_unit(const std::optional<double>& value, const std::string& unit);

}  // namespace ansatz::viz
