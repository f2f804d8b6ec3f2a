#include "experiments/sweeps/collect_sweep.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "experiments/results/repeats.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

using Numbers = std::vector<std::pair<std::string, double>>;

/// One seed of a cell, with its numbers by name.
struct CollectedRun {
  SweepRun run;
  Numbers numbers;
  std::optional<RunRecord> record;
};

bool has_manifest(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "manifest.json", error);
}

void read_run(const fs::path& folder, CollectedRun& collected) {
  SweepRun& run = collected.run;
  const JsonValue manifest = read_manifest(folder);
  const std::string status = manifest.at("status").text();
  if (status == "failed") {
    run.status = SweepStatus::failed;
    run.failure = manifest.text("message", "it ended without a reason");
  } else if (status != "finished") {
    run.failure = manifest.text("message", "not finished");
  } else {
    collected.record = record_from_json(read_metrics(folder));
    if (collected.record->seed != run.seed)
      throw DataError(folder.string() + ": is a run with the seed " + std::to_string(collected.record->seed) +
                      ", where that of " + std::to_string(run.seed) + " belongs");
    collected.numbers = numbers_of(*collected.record);
    run.status = SweepStatus::done;
    run.seconds = manifest.number("seconds", 0);
  }
}

CollectedRun collect_run(const fs::path& folder, std::uint64_t seed) {
  CollectedRun collected;
  collected.run.seed = seed;
  if (!has_manifest(folder)) return collected;
  try {
    read_run(folder, collected);
  } catch (const Error& damaged) {
    collected.run.status = SweepStatus::failed;
    collected.run.failure = damaged.what();
  }
  return collected;
}

/// Why repeats as a whole have failed; "" if they have not.
std::string failure_of_whole(const fs::path& folder) {
  if (!has_manifest(folder)) return "";
  try {
    const JsonValue manifest = read_manifest(folder);
    return manifest.at("status").text() == "failed" ? manifest.text("message", "it ended without a reason") : "";
  } catch (const Error& damaged) {
    return damaged.what();
  }
}

void add_warnings(const std::vector<CollectedRun>& runs, SweepCell& cell) {
  std::vector<RunRecord> records;
  for (const CollectedRun& run : runs)
    if (run.record) records.push_back(*run.record);
  cell.warnings = warnings_of(records);
}

std::size_t place_of(const std::string& name, std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// Fills the runs' numbers in the order of the record's names.
void align(const std::vector<std::vector<Numbers>>& collected, SweepRecord& record) {
  for (const std::vector<Numbers>& cell : collected)
    for (const Numbers& run : cell)
      for (const auto& number : run) place_of(number.first, record.numbers);
  for (std::size_t i = 0; i < collected.size(); ++i)
    for (std::size_t j = 0; j < collected[i].size(); ++j) {
      SweepRun& run = record.cells[i].runs[j];
      if (run.status != SweepStatus::done) continue;
      run.numbers.assign(record.numbers.size(), std::numeric_limits<double>::quiet_NaN());
      for (const auto& [name, value] : collected[i][j]) run.numbers[place_of(name, record.numbers)] = value;
    }
}

}  // namespace

fs::path cell_folder(const fs::path& sweep, const std::string& label) { return sweep / "cells" / label; }

fs::path cell_file(const fs::path& sweep, const std::string& label) { return sweep / "cells" / (label + ".yaml"); }

SweepRecord collect_sweep(const SweepConfig& sweep, const fs::path& folder) {
  SweepRecord record;
  record.experiment = sweep.whole.common.experiment;
  record.name = sweep.whole.common.name;
  record.config = config_values(sweep.whole.yaml, "config.yaml");
  record.axes = sweep.axes;
  std::vector<std::vector<Numbers>> numbers;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    const CommonOptions& common = sweep.cells[i].config.common;
    const fs::path own = cell_folder(folder, sweep.cells[i].label);
    std::vector<CollectedRun> runs;
    for (Index repeat = 0; repeat < common.repeats; ++repeat)
      runs.push_back(collect_run(common.repeats > 1 ? own / ("repeat-" + std::to_string(repeat + 1)) : own,
                                 common.seed + static_cast<std::uint64_t>(repeat)));
    SweepCell cell{sweep.places[i], {}, {}};
    numbers.emplace_back();
    for (CollectedRun& run : runs) {
      if (run.record && record.conventions.empty()) record.conventions = run.record->conventions;
      numbers.back().push_back(std::move(run.numbers));
      cell.runs.push_back(std::move(run.run));
    }
    add_warnings(runs, cell);
    if (const std::string why = failure_of_whole(own); !why.empty() && cell.status() == SweepStatus::missing)
      mark_failed(cell, why);
    record.cells.push_back(std::move(cell));
  }
  align(numbers, record);
  return record;
}

void mark_failed(SweepCell& cell, const std::string& why) {
  const auto first = std::find_if(cell.runs.begin(), cell.runs.end(),
                                  [](const SweepRun& run) { return run.status != SweepStatus::done; });
  if (first == cell.runs.end()) return;
  first->status = SweepStatus::failed;
  first->failure = why;
}

}  // namespace ansatz::experiments
