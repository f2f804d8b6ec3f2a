// What a run was begun with, for one that goes on: the same config, and whatever else is another now.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/json_value.h"

namespace ansatz {

/// The key of manifest.json with the checksum of config.yaml as the run wrote it.
inline constexpr const char* kConfigChecksum = "config_checksum";
std::string config_checksum(const std::string& resolved_config);

/// ConfigError naming the first line in which `file`, the config.yaml of a run, differs from `now`.
void require_same_config(const std::filesystem::path& file, const std::string& now);

/// ConfigError if the config.yaml in the run's folder is not the one that it was begun with, as its manifest says: what
/// is in its state was made by another. Nothing where the manifest has no checksum (of an earlier version).
void require_config_as_begun(const std::filesystem::path& run, const JsonValue& manifest);

/// What of the program and the machine is another now, so that numbers may differ in their last digits from those of an
/// unbroken run: "version 0.1.0, now 0.2.0".
std::vector<std::string> changed_circumstances(const JsonValue& before, const Json& now);

}  // namespace ansatz
