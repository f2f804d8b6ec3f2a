#include "experiments/sweeps/frozen_cells.h"

#include <nlohmann/json.hpp>

#include "core/files/checksum.h"
#include "core/files/files.h"
#include "core/run/run_directory.h"
#include "experiments/sweeps/collect_sweep.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "sweep";

std::string checksum_of(const std::vector<std::string>& configs) {
  Checksum sum;
  for (const std::string& config : configs) sum.add(config);
  return sum.text();
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

void freeze_cells(const SweepConfig& sweep, const fs::path& folder) {
  make_folder(folder / "cells");
  for (const CellConfig& cell : sweep.cells)
    write_file_atomically(cell_file(folder, cell.label), std::string_view(cell.config.yaml));
}

Json frozen_json(const SweepConfig& sweep) {
  std::vector<std::string> configs;
  for (const CellConfig& cell : sweep.cells) configs.push_back(cell.config.yaml);
  return {{"cells", sweep.cells.size()}, {"checksum", checksum_of(configs)}};
}

bool is_sweep(const fs::path& folder) { return is_there(folder / "manifest.json") && read_manifest(folder).has(kKey); }

std::vector<std::string> frozen_cells(const fs::path& folder) {
  if (!is_there(folder / "manifest.json")) return {};
  const JsonValue manifest = read_manifest(folder);
  if (!manifest.has(kKey)) throw ConfigError(folder.string() + ": is a run, and no sweep; choose another `out`");
  const JsonValue known = manifest.at(kKey);
  const auto cells = static_cast<std::size_t>(known.at("cells").integer(1, kMostCells));
  std::vector<std::string> configs;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const fs::path file = cell_file(folder, sweep_label(cell, cells));
    if (!is_there(file)) return {};
    configs.push_back(read_file(file));
  }
  if (checksum_of(configs) != known.at("checksum").text())
    throw ConfigError((folder / "cells").string() +
                      ": a cell's config was changed after the sweep began: undo the change, or begin another sweep in "
                      "another `out`");
  return configs;
}

}  // namespace ansatz::experiments
