#include "core/run/finished_run.h"

#include <algorithm>

#include "core/base/error.h"
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

JsonValue metrics_of(const fs::path& folder) {
  if (fs::exists(folder / "metrics.json")) return read_metrics(folder);
  throw DataError(folder.string() + ": no finished run is there (metrics.json is missing); go on with `ansatz resume " +
                  folder.string() + "` if one was cut off");
}

FinishedRun read_finished_run(const fs::path& folder) {
  FinishedRun run;
  run.folder = folder;
  const JsonValue metrics = metrics_of(folder);
  if (is_of_repeats(metrics)) {
    run.repeats = repeats_from_json(metrics);
    for (std::size_t i = 0; i < run.repeats->seeds.size(); ++i)
      run.seeds.push_back(record_from_json(metrics_of(run.folder_of_seed(i))));
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
      part.seeds.push_back(record_from_json(metrics_of(run.folder_of_seed(i) / below)));
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
