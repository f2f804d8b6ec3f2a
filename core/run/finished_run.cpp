#include "core/run/finished_run.h"

#include <algorithm>
#include <cstdint>

#include "core/base/error.h"
#include "core/base/shell_word.h"
#include "core/files/files.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

/// The folders on the way to it, itself last.
std::vector<std::string> steps_to(const fs::path& folder) {
  std::vector<std::string> steps;
  for (const fs::path& step : fs::absolute(folder).lexically_normal())
    if (!step.empty()) steps.push_back(step.string());
  return steps;
}

/// The last `count` of them, as a path.
std::string end_of(const std::vector<std::string>& steps, std::size_t count) {
  fs::path end;
  for (std::size_t i = steps.size() - std::min(count, steps.size()); i < steps.size(); ++i) end /= steps[i];
  return end.string();
}

/// Runs of versions that did not keep it in metrics.json have it in config.yaml alone.
ConfigValue config_of(const fs::path& folder, const std::optional<ConfigValue>& kept) {
  if (kept) return *kept;
  const fs::path file = folder / "config.yaml";
  return config_values(read_file(file), file.string());
}

/// DataError, with what to do, unless the run has come to its end. A folder without manifest.json says nothing of it.
void require_finished(const fs::path& folder) {
  const std::string name = folder.string(), go_on = "go on with `ansatz resume " + shell_word(name) + "`";
  const bool has_metrics = fs::exists(folder / "metrics.json"), has_manifest = fs::exists(folder / "manifest.json");
  if (has_manifest) {
    const JsonValue manifest = read_manifest(folder);
    const std::string status = manifest.at("status").text();
    if (status == "failed")
      throw DataError(name + ": this run ended in an error (" + manifest.text("message", "no message") +
                      "); mend that and run it again with the same `out`");
    if (status == "finished" && !has_metrics)
      throw DataError(name +
                      ": no finished run is there (metrics.json is missing, although it was finished); its config.yaml "
                      "with another `out` makes the same run again");
    if (status != "finished" && has_metrics) throw DataError(name + ": this run is not finished; " + go_on);
  }
  if (!has_metrics)
    throw DataError(name + ": no finished run is there (metrics.json is missing); " + go_on + " if one was cut off");
}

JsonValue metrics_of(const fs::path& folder) {
  require_finished(folder);
  return read_metrics(folder);
}

/// Of a folder within that of a finished run: `ansatz resume` has nothing to go on with there.
JsonValue metrics_within(const fs::path& whole, const fs::path& folder) {
  if (!fs::exists(folder / "metrics.json"))
    throw DataError(folder.string() + ": metrics.json is not there, although " + whole.string() +
                    " was finished with it: put the folder back, or make the whole run again by its config.yaml with "
                    "another `out`");
  return metrics_of(folder);
}

/// What the seeds of one run have in common.
Settings shared_settings(const ConfigValue& config) {
  Settings settings = settings_of(config);
  const auto is_own = [](const auto& s) { return s.first == "seed" || s.first == "name" || s.first == "repeats"; };
  settings.erase(std::remove_if(settings.begin(), settings.end(), is_own), settings.end());
  return settings;
}

/// DataError unless that is the run of that seed: its folder may have been exchanged.
void require_repeat(const FinishedRun& run, std::size_t i) {
  const RunRecord& record = run.seeds[i];
  const std::uint64_t seed = run.repeats->seeds[i];
  const std::string name = run.folder_of_seed(i).string();
  if (record.seed != seed)
    throw DataError(name + ": is a run with the seed " + std::to_string(record.seed) + ", and " + run.folder.string() +
                    " was made with " + std::to_string(seed) + " there; put the run of that seed back");
  if (record.config && run.repeats->config && shared_settings(*record.config) != shared_settings(*run.repeats->config))
    throw DataError(name + ": is a run of another config than " + run.folder.string() + "; put its own run back");
}

FinishedRun read_finished_run(const fs::path& folder) {
  FinishedRun run;
  run.folder = folder;
  if (fs::exists(folder / "manifest.json") && read_manifest(folder).has("sweep"))
    throw DataError(folder.string() + ": is a sweep; name runs of it, such as " + (folder / "cells" / "000").string());
  const JsonValue metrics = metrics_of(folder);
  if (is_of_repeats(metrics)) {
    run.repeats = repeats_from_json(metrics);
    for (std::size_t i = 0; i < run.repeats->seeds.size(); ++i) {
      run.seeds.push_back(record_from_json(metrics_within(folder, run.folder_of_seed(i))));
      require_repeat(run, i);
    }
  } else {
    run.seeds.push_back(record_from_json(metrics));
  }
  run.config = config_of(folder, run.repeats ? run.repeats->config : run.seeds.front().config);
  return run;
}

std::string value_in(const Settings& settings, const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
  return found == settings.end() ? "" : found->second;
}

}  // namespace

bool is_finished(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / "manifest.json", error)) return false;
  const std::optional<JsonValue> status = read_manifest(folder).find("exit_status");
  return status && status->integer(0, 255) == 0;
}

std::vector<FinishedRun> read_finished_runs(const std::vector<fs::path>& folders) {
  const std::vector<std::string> names = names_of_folders(folders);
  std::vector<FinishedRun> runs;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    runs.push_back(read_finished_run(folders[i]));
    runs.back().name = names[i];
  }
  return runs;
}

std::vector<FinishedRun> parts_of(const FinishedRun& run) {
  std::vector<FinishedRun> parts;
  for (const std::string& name : run.seeds.front().parts) {
    const fs::path below = fs::path("parts") / name;
    FinishedRun part{run.folder_of_seed(0) / below, run.name + "/" + name, run.config, {}, std::nullopt};
    for (std::size_t i = 0; i < run.seeds.size(); ++i)
      part.seeds.push_back(record_from_json(metrics_within(run.folder, run.folder_of_seed(i) / below)));
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<std::string> names_of_folders(const std::vector<fs::path>& folders) {
  std::vector<std::vector<std::string>> steps;
  for (const fs::path& folder : folders) steps.push_back(steps_to(folder));
  std::vector<std::string> names;
  for (const std::vector<std::string>& own : steps) {
    std::size_t count = 1;
    const auto shared = [&](const auto& other) { return other != own && end_of(other, count) == end_of(own, count); };
    while (std::any_of(steps.begin(), steps.end(), shared)) ++count;
    names.push_back(end_of(own, count));
  }
  return names;
}

std::vector<SettingByRun> differing_settings(const std::vector<FinishedRun>& runs) {
  std::vector<Settings> all;
  for (const FinishedRun& run : runs) all.push_back(settings_of(run.config));
  std::vector<SettingByRun> differing;
  for (const Settings& settings : all) {
    for (const auto& [key, value] : settings) {
      const auto known = [&k = key](const SettingByRun& setting) { return setting.key == k; };
      if (key == "name" || std::any_of(differing.begin(), differing.end(), known)) continue;
      SettingByRun setting{key, {}};
      for (const Settings& of_run : all) setting.values.push_back(value_in(of_run, key));
      const std::string& first = setting.values.front();
      if (std::any_of(setting.values.begin(), setting.values.end(), [&](const auto& v) { return v != first; }))
        differing.push_back(std::move(setting));
    }
  }
  return differing;
}

}  // namespace ansatz
