// Finished runs read back, for tables and curves of one or of several side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/config/config_value.h"
#include "core/record/repeats_record.h"

namespace ansatz {

struct FinishedRun {
  std::filesystem::path folder;
  std::string name;                      ///< by names_of_folders
  ConfigValue config;                    ///< resolved
  std::vector<RunRecord> seeds;          ///< one a seed; a run without `repeats` has one
  std::optional<RepeatsRecord> repeats;  ///< of a run with `repeats`
  const std::optional<FindingsRecord>& findings() const { return repeats ? repeats->findings : seeds.front().findings; }
  /// Where the run of that seed lies.
  std::filesystem::path folder_of_seed(std::size_t i) const {
    return repeats ? folder / ("repeat-" + std::to_string(i + 1)) : folder;
  }
};

/// Whether a run in that folder has come to its end, and well: by its manifest. DataError if that is damaged.
bool is_finished(const std::filesystem::path& folder);

/// In the order of the folders. DataError if one is no finished run, or is damaged.
std::vector<FinishedRun> read_finished_runs(const std::vector<std::filesystem::path>& folders);

/// The parts of an experiment that has some, each with the seeds of the whole and named "<run>/<part>".
std::vector<FinishedRun> parts_of(const FinishedRun& run);

/// The name of each folder; where several have the same, the shortest ends of their paths that differ ("a/rfm" and
/// "b/rfm"). A folder that is there twice has one name twice.
std::vector<std::string> names_of_folders(const std::vector<std::filesystem::path>& folders);

/// A key of the config in which runs differ, and its value in each; empty where a run has no such key.
struct SettingByRun {
  std::string key;
  std::vector<std::string> values;
};
/// In the order of the first config that has the key. `name` is left out.
std::vector<SettingByRun> differing_settings(const std::vector<FinishedRun>& runs);

}  // namespace ansatz
