// `ansatz run`, `ansatz resume` and `ansatz plan`.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/shell_word.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "core/machine/terminal.h"
#include "core/machine/thread_count.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/begun_run.h"
#include "core/run/input_digest.h"
#include "experiments/benchmark/xgboost/xgboost_library.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/failure.h"
#include "experiments/cli/registry.h"
#include "experiments/options/synonyms.h"
#include "experiments/results/repeats.h"
#include "experiments/sweeps/frozen_cells.h"
#include "nets/mlp.h"
#include "viz/canvas/runtime.h"
#include "viz/images/feature_image.h"
#include "viz/plots/figures.h"
#include "viz/report/report.h"

namespace ansatz::experiments {

Json manifest_of(const Config& config, const CommonOptions& common) {
  Json json = build_manifest();
  json["torch"] = nets::torch_description();
  json["opencv"] = viz::opencv_version();
  if (has_xgboost()) json["xgboost"] = xgboost_description();
  json["seed"] = common.seed;
  json["device"] = common.device == nets::Device::cuda ? "cuda" : "cpu";
  if (!config.notes().empty()) json["config_notes"] = config.notes();
  return json;
}

ParsedConfig parse_config(Config config, const std::string& default_name) {
  CommonOptions common = parse_common(config, default_name);
  PreparedExperiment prepared = find_experiment(config, common.experiment).prepare(config, common);
  config.finish();
  return {std::move(config), std::move(common), std::move(prepared)};
}

std::string command_to_go_on(const std::filesystem::path& directory, bool quiet) {
  return shell_word(program_invocation_name) + " resume " + shell_word(directory.string()) + (quiet ? " --quiet" : "");
}

namespace {

void ensure_report(const std::filesystem::path& out, const CommonOptions& common, bool quiet) {
  if (!common.report || std::filesystem::exists(out / "report.html")) return;
  const std::filesystem::path page = viz::write_report({out});
  if (!quiet) std::fprintf(stdout, "\nreport: %s\n", page.c_str());
}

/// Says in the manifest how a run ended. One that was resumed and found its data or its state changed or damaged has
/// not failed: it can go on when they have been mended.
void finish_badly(const RunDirectory& directory, const Failure& failure, bool resumed) {
  constexpr int kData = 3, kInterrupted = 130;
  const bool can_go_on = resumed && failure.exit_code == kData;
  directory.finish(can_go_on ? kInterrupted : failure.exit_code, failure.message);
}

/// From here on an interrupted run has something to go on with.
RunDirectory open_directory(const std::filesystem::path& out, const Config& config, const CommonOptions& common,
                            bool resume) {
  catch_interrupts();
  return RunDirectory::open(out, config.resolved_yaml(), manifest_of(config, common), resume);
}

/// One run in one directory, from data to report. Data are read before the directory is made.
void run_single(const Config& config, const CommonOptions& common, const PreparedExperiment& prepared,
                const std::filesystem::path& out, const RunArguments& arguments) {
  const Stopwatch watch;
  const RandomStream stream(common.seed);
  const auto body = prepared.load(stream);
  const RunDirectory directory = open_directory(out, config, common, arguments.resume);
  if (!directory.finished()) {
    const double before = read_manifest(out).number("seconds", 0);  // of processes that were interrupted
    const auto keep_seconds = [&] { directory.amend_manifest("seconds", before + watch.seconds()); };
    try {
      body(RunContext{directory, stream, arguments.quiet});
      keep_seconds();
      directory.finish(0);
    } catch (const Interrupted&) {
      keep_seconds();
      finish_badly(directory, current_failure(), arguments.resume);
      throw;
    } catch (...) {
      finish_badly(directory, current_failure(), arguments.resume);
      throw;
    }
  } else {
    read_metrics(out);  // there and whole, as the manifest says
    if (!arguments.quiet) std::fprintf(stdout, "%s is finished already\n", out.c_str());
  }
  ensure_report(out, common, arguments.quiet);
}

ParsedConfig parse(const RunArguments& arguments) {
  const Config config = Config::from_file(arguments.config, arguments.overrides);
  config.know(synonyms());
  if (config.has("sweep"))
    config.fail("sweep", "is a section of `ansatz sweep " + shell_word(arguments.config.string()) +
                             "`, which runs every cell of it; a single run leaves it out: --set sweep=null");
  ParsedConfig parsed = parse_config(config, arguments.config.stem().string());
  for (const std::string& note : config.notes()) spdlog::info("{}", note);
  return parsed;
}

/// repeats > 1: one complete run a seed in <out>/repeat-<i>, then their mean and standard deviation in
/// <out>/metrics.json.
void run_repeats(const ParsedConfig& parsed, const std::filesystem::path& out, const RunArguments& arguments) {
  const RunDirectory directory = open_directory(out, parsed.config, parsed.common, arguments.resume);
  std::vector<RunRecord> runs;
  try {
    for (Index i = 1; i <= parsed.common.repeats; ++i) {
      const std::uint64_t seed = parsed.common.seed + static_cast<std::uint64_t>(i - 1);
      const ParsedConfig one = parse_config(Config::from_string(parsed.config.resolved_yaml(), "config.yaml",
                                                                {"repeats=1", fmt::format("seed={}", seed),
                                                                 fmt::format("name={}-{}", parsed.common.name, i)}),
                                            parsed.common.name);
      if (!arguments.quiet)
        std::fprintf(stderr, "repeat %ld of %ld, seed %lu\n", static_cast<long>(i),
                     static_cast<long>(parsed.common.repeats), seed);
      if (!runs.empty()) require_same_data(out / "repeat-1");
      const std::filesystem::path folder = out / fmt::format("repeat-{}", i);
      run_single(one.config, one.common, one.prepared, folder, arguments);
      runs.push_back(record_from_json(read_metrics(folder)));
    }
    RepeatsRecord summary = summarize_repeats(runs);
    summary.config = directory.config();
    directory.write_json("metrics.json", to_json(summary));
    if (!arguments.quiet) std::fputs(repeats_table(summary, runs, terminal_columns(STDOUT_FILENO)).c_str(), stdout);
    directory.finish(0);
  } catch (...) {
    finish_badly(directory, current_failure(), arguments.resume);
    throw;
  }
  if (parsed.common.report) viz::write_report({out});
}

/// Whether there will be figures: the run's own (all experiments but those that always draw have the key), or the
/// curves of its repeats in their report.
bool draws(const ParsedConfig& parsed) {
  return (parsed.common.repeats > 1 && parsed.common.report) ||
         Config::from_string(parsed.config.resolved_yaml()).section("save").get("images", true);
}

[[noreturn]] void refuse_finished_run(const std::filesystem::path& directory, const JsonValue& manifest) {
  const std::string word = shell_word(directory.string());
  const std::string since = directory.string() + ": is finished since " + manifest.text("end", "");
  if (std::filesystem::exists(directory / "metrics.json"))
    throw ConfigError(since + "; there is nothing to go on with (`ansatz report " + word + "` makes its report again)");
  throw DataError(since + ", but its metrics.json is gone; `ansatz run " + word +
                  "/config.yaml --out NEW` makes the same run again");
}

/// Something to go on with is there.
void require_unfinished_run(const std::filesystem::path& directory) {
  const std::string& name = directory.string();
  if (!std::filesystem::exists(directory / "config.yaml"))
    throw DataError(name + ": no run is there (config.yaml is missing); `ansatz run CONFIG --out " + shell_word(name) +
                    "` starts one");
  if (!std::filesystem::exists(directory / "manifest.json")) return;  // killed before it was written
  const JsonValue manifest = read_manifest(directory);
  if (manifest.has("part"))
    throw ConfigError(name + ": is the part " + manifest.at("part").text() +
                      " of an experiment; resume the folder that holds parts/");
  if (manifest.at("status").text() == "finished") refuse_finished_run(directory, manifest);
  require_config_as_begun(directory, manifest);
}

/// "2 threads (limit: OMP_NUM_THREADS)"
std::string describe_threads(int asked_for) {
  const std::string why =
      asked_for > 0 ? "asked for: " + std::to_string(asked_for) : "limit: " + default_threads().limited_by;
  return fmt::format("{} thread{} ({})\n", threads(), threads() == 1 ? "" : "s", why);
}

}  // namespace

// More threads than can run at the same time take turns, and wait for each other at every step.
void apply_threads(int threads) {
  const ThreadCount most = usable_processors();
  ansatz::set_threads(std::min(threads, most.count));
  const int granted = ansatz::threads();
  if (granted < std::min(threads, most.count))
    spdlog::warn("{} threads are asked for, {} granted: see OMP_THREAD_LIMIT, OMP_DYNAMIC, limits on processes",
                 threads, granted);
  else if (granted < threads)
    spdlog::warn("{} threads are asked for, {} used: more cannot run at the same time (limit: {})", threads, granted,
                 most.limited_by);
  nets::set_threads(ansatz::threads());
  viz::set_threads(1);
}

namespace {

/// The value of an override as text, which YAML may have in quotes; "" if it has none.
std::string value_of(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals + 1 == assignment.size()) return "";
  const Config config = Config::from_string("{}", "--each " + assignment, {"value" + assignment.substr(equals)});
  return config.has("value") ? config.require("value") : "";
}

/// One run after the other, in one process. One that fails is said, and the others follow; its error is the command's.
void run_each(const RunArguments& arguments) {
  std::exception_ptr first;
  for (const std::string& assignment : arguments.each) {
    const std::string value = value_of(assignment);
    if (value.empty() || value.front() == '.' || value.find('/') != std::string::npos)
      throw ConfigError("--each " + assignment + ": write key.path=value, with a value that can name a folder");
    RunArguments one = arguments;
    one.each.clear();
    one.overrides.push_back(assignment);
    one.out = (arguments.out.empty() ? std::filesystem::path("runs") : arguments.out) / value;
    try {
      run_command(one);
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      if (arguments.each.size() == 1) throw;
      spdlog::error("{}: {}", value, current_failure().message);
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace

void run_command(const RunArguments& arguments) {
  if (!arguments.each.empty()) return run_each(arguments);
  if (arguments.quiet) spdlog::set_level(spdlog::level::err);
  const ParsedConfig parsed = parse(arguments);
  apply_threads(parsed.common.threads);
  const std::filesystem::path out =
      arguments.out.empty() ? std::filesystem::path("runs") / parsed.common.name : arguments.out;
  RunDirectory::check_usable(out, arguments.resume);
  if (draws(parsed)) viz::check_drawing();
  require_fits(parsed.prepared.plan());
  try {
    if (parsed.common.repeats > 1) {
      run_repeats(parsed, out, arguments);
    } else {
      run_single(parsed.config, parsed.common, parsed.prepared, out, arguments);
    }
  } catch (const Interrupted&) {
    throw Interrupted("interrupted; go on with: " + command_to_go_on(out, arguments.quiet));
  }
}

void resume_command(const std::filesystem::path& directory, bool quiet) {
  if (is_sweep(directory)) {
    SweepArguments sweep;
    sweep.target = directory;
    sweep.quiet = quiet;
    return sweep_command(sweep);
  }
  require_unfinished_run(directory);
  run_command({directory / "config.yaml", {}, directory, /*resume=*/true, quiet});
}

void plan_command(const RunArguments& arguments) {
  if (Config::from_file(arguments.config, arguments.overrides).has("sweep")) return plan_sweep_command(arguments);
  const ParsedConfig parsed = parse(arguments);
  apply_threads(parsed.common.threads);
  const Plan plan = parsed.prepared.plan();
  std::printf("%s\n%s%s", parsed.config.resolved_yaml().c_str(),
              describe(plan, terminal_columns(STDOUT_FILENO)).c_str(), describe_threads(parsed.common.threads).c_str());
  require_fits(plan);
}

}  // namespace ansatz::experiments
