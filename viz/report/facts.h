// What is known of a run beside its results: data, conventions, configuration, environment. Internal to viz/.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz::viz {

/// `folder`: where config.yaml is.
std::string facts_section(const NamedTexts& conventions, const std::optional<DataRecord>& data, const Json& timings,
                          const std::filesystem::path& folder, const JsonValue& manifest);

}  // namespace ansatz::viz
