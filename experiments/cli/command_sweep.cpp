// `ansatz sweep`, and `ansatz plan` of a config with a section `sweep`.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/shell_word.h"
#include "core/files/files.h"
#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "core/machine/terminal.h"
#include "core/run/run_directory.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/failure.h"
#include "experiments/jobs/job_pool.h"
#include "experiments/options/synonyms.h"
#include "experiments/sweeps/collect_sweep.h"
#include "experiments/sweeps/frozen_cells.h"
#include "experiments/sweeps/run_cells.h"
#include "experiments/sweeps/slurm_script.h"
#include "experiments/sweeps/sweep_text.h"
#include "experiments/sweeps/write_sweep.h"
#include "viz/canvas/runtime.h"
#include "viz/report/report.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

constexpr int kDamaged = 3, kInterrupted = 130;

/// Notes are of the sweep as a whole: cells mostly have the same.
CheckedConfig check(const Config& config, const std::string& default_name) {
  const ParsedConfig parsed = parse_config(config, default_name);
  return {parsed.common, parsed.config.resolved_yaml(), parsed.prepared.plan};
}

/// A sweep that has been read, and where it lies.
struct ReadSweep {
  Config root;
  SweepConfig sweep;
  fs::path folder;
  bool goes_on = false;
};

Config read_config(const SweepArguments& arguments) {
  std::error_code error;
  const bool is_folder = fs::is_directory(arguments.target, error);
  if (is_folder && !arguments.overrides.empty())
    throw ConfigError(arguments.target.string() +
                      ": its cells are fixed, and no key of them can be overridden; begin another sweep by a config");
  if (is_folder && !is_sweep(arguments.target))
    throw DataError(arguments.target.string() + ": no sweep is there; `ansatz sweep CONFIG --out " +
                    shell_word(arguments.target.string()) + "` starts one");
  const Config root =
      Config::from_file(is_folder ? arguments.target / "config.yaml" : arguments.target, arguments.overrides);
  root.know(synonyms());
  return root;
}

ReadSweep read_sweep(const SweepArguments& arguments) {
  std::error_code error;
  const bool is_folder = fs::is_directory(arguments.target, error);
  const std::string stem = arguments.target.stem().string();
  const CommonOptions common = parse_common(read_config(arguments), stem);
  const fs::path folder = !arguments.out.empty() ? arguments.out
                          : is_folder            ? arguments.target
                                                 : fs::path("runs") / common.name;
  if (is_folder && !fs::equivalent(folder, arguments.target, error))
    throw ConfigError("`out` " + folder.string() + ": " + arguments.target.string() +
                      " is a sweep that has its folder");
  const bool goes_on = is_folder || arguments.resume || arguments.collect;
  RunDirectory::check_usable(folder, goes_on);
  apply_threads(common.threads);
  const Config root = read_config(arguments);
  SweepConfig sweep = parse_sweep(root, stem, goes_on ? frozen_cells(folder) : std::vector<std::string>(), check);
  for (const std::string& note : root.notes()) spdlog::info("{}", note);
  return {root, std::move(sweep), folder, goes_on};
}

RunDirectory open_directory(const ReadSweep& read) {
  Json manifest = manifest_of(read.root, read.sweep.whole.common);
  manifest["sweep"] = frozen_json(read.sweep);
  catch_interrupts();
  return RunDirectory::open(read.folder, read.sweep.whole.yaml, std::move(manifest), read.goes_on);
}

/// Results, report and table of what is there.
void publish(SweepRecord& record, const ReadSweep& read, bool quiet) {
  write_sweep(record, read.folder);
  if (read.sweep.whole.common.report) {
    const fs::path page = viz::write_report({read.folder});
    if (!quiet) std::fprintf(stdout, "report: %s\n\n", page.c_str());
  }
  if (!quiet) std::fputs(sweep_table(record, terminal_columns(STDOUT_FILENO)).c_str(), stdout);
}

/// The error of a sweep of which cells have failed, with the exit code of the first.
[[noreturn]] void fail(const SweepRecord& record, const fs::path& folder, int exit_code) {
  std::size_t first = 0;
  while (record.cells[first].status() != SweepStatus::failed) ++first;
  throw Error(fmt::format("{}; the first ({}): {}; what the others found is in {}, and `ansatz resume {}` tries again",
                          cells_with(record, SweepStatus::failed), record.describe(first),
                          record.cells[first].failure(), (folder / "sweep.csv").string(), shell_word(folder.string())),
              exit_code);
}

void run_sweep(const ReadSweep& read, const RunDirectory& directory, const SweepArguments& arguments) {
  const auto failures = run_cells(read.sweep, read.folder, cells_at_once(read.sweep, arguments.jobs), arguments.quiet);
  SweepRecord record = collect_sweep(read.sweep, read.folder);
  Json failed = Json::array();
  for (const auto& [cell, failure] : failures) {
    mark_failed(record.cells[cell], failure.message);
    failed.push_back(record.label(cell));
  }
  directory.amend_manifest("failed_cells", failed);
  publish(record, read, arguments.quiet);
  directory.finish(0);
  if (record.count(SweepStatus::failed) > 0)
    fail(record, read.folder, failures.empty() ? kDamaged : failures.begin()->second.exit_code);
}

void write_slurm(const ReadSweep& read, const RunDirectory& directory, const SweepArguments& arguments) {
  const ThreadScope one(1);
  const fs::path folder = fs::absolute(read.folder).lexically_normal(), script = folder / "sweep.sbatch";
  make_folder(folder / "logs");
  write_file_atomically(script, slurm_script(read.sweep, slurm_request(read.sweep, stage_rate()),
                                             fs::read_symlink(kThisProgram), folder, arguments.jobs));
  directory.amend_manifest("status", "prepared");
  if (arguments.quiet) return;
  const std::string word = shell_word(folder.string());
  std::fprintf(stdout,
               "%zu cells: submit them with\n  sbatch %s\nand gather what is done with\n  ansatz sweep %s --collect\n",
               read.sweep.cells.size(), shell_word(script.string()).c_str(), word.c_str());
}

/// As its manifest says; of data where it does not.
int exit_code_of(const fs::path& cell) {
  std::error_code error;
  if (!fs::exists(cell / "manifest.json", error)) return kDamaged;
  const std::optional<JsonValue> status = read_manifest(cell).find("exit_status");
  return status ? static_cast<int>(status->integer(0, 255)) : kDamaged;
}

/// While cells are missing, other processes may be at work on them: the folder is not taken over.
void collect(const ReadSweep& read, bool quiet) {
  SweepRecord record = collect_sweep(read.sweep, read.folder);
  publish(record, read, quiet);
  if (const std::string missing = cells_with(record, SweepStatus::missing); !missing.empty())
    spdlog::warn("{}", missing);
  else
    open_directory(read).finish(0);
  for (std::size_t cell = 0; cell < record.cells.size(); ++cell)
    if (record.cells[cell].status() == SweepStatus::failed)
      fail(record, read.folder, exit_code_of(cell_folder(read.folder, record.label(cell))));
}

}  // namespace

void sweep_command(const SweepArguments& arguments) {
  if (arguments.quiet) spdlog::set_level(spdlog::level::err);
  const ReadSweep read = read_sweep(arguments);
  viz::check_drawing();
  if (arguments.collect && !is_sweep(read.folder))
    throw DataError(read.folder.string() + ": no sweep is there to be collected");
  if (arguments.collect) return collect(read, arguments.quiet);
  if (!arguments.slurm)
    for (const CellConfig& cell : read.sweep.cells) in_cell(cell, [&] { require_fits(cell.plan); });
  const RunDirectory directory = open_directory(read);
  try {
    freeze_cells(read.sweep, read.folder);
    arguments.slurm ? write_slurm(read, directory, arguments) : run_sweep(read, directory, arguments);
  } catch (const Interrupted&) {
    directory.finish(kInterrupted, "interrupted");
    throw Interrupted("interrupted; go on with: " + command_to_go_on(read.folder, arguments.quiet));
  } catch (...) {
    // The cells that are done stay: whatever it was, the sweep can go on.
    if (!read_manifest(read.folder).has("exit_status")) directory.finish(kInterrupted, current_failure().message);
    throw;
  }
}

void plan_sweep_command(const RunArguments& arguments) {
  SweepArguments sweep;
  sweep.target = arguments.config;
  sweep.overrides = arguments.overrides;
  const Config root = read_config(sweep);
  const std::string stem = arguments.config.stem().string();
  apply_threads(parse_common(read_config(sweep), stem).threads);
  const SweepConfig parsed = parse_sweep(root, stem, {}, check);
  std::printf("%s\n%s", parsed.whole.yaml.c_str(),
              describe_sweep(parsed, stage_rate(), terminal_columns(STDOUT_FILENO)).c_str());
  for (const CellConfig& cell : parsed.cells) in_cell(cell, [&] { require_fits(cell.plan); });
}

}  // namespace ansatz::experiments
