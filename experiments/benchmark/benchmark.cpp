// Many data sets, many methods, one protocol: the paper's tables of tabular benchmarks (section 3.3).
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/machine/terminal.h"
#include "core/record/benchmark/figures/benchmark_figures.h"
#include "core/record/json/run_record_json.h"
#include "core/run/input_digest.h"
#include "experiments/benchmark/results/benchmark_findings.h"
#include "experiments/benchmark/results/write_results.h"
#include "experiments/benchmark/set_cost.h"
#include "experiments/benchmark/set_jobs.h"
#include "experiments/benchmark/set_run.h"
#include "experiments/benchmark/set_warnings.h"
#include "experiments/experiment.h"
#include "experiments/options/option_names.h"
#include "experiments/results/begun_record.h"

namespace ansatz::experiments {
namespace {

constexpr const char* kSection = "benchmark";

BenchmarkRecord begin_record(const BenchmarkOptions& options, const std::string& collection) {
  BenchmarkRecord record;
  record.collection = collection;
  record.methods = columns_of(options);
  record.baseline = baseline_label(options);
  return record;
}

/// What the config expects, but of groups of which there are not sets enough: that is said.
Expectations expectations_of(const BenchmarkRecord& record, const BenchmarkOptions& options) {
  Expectations kept = options.expectations;
  std::vector<std::string> lacking;
  for (const ExpectedFinding& expected : options.expectations.findings)
    if (lacks_sets(expected.name, record, options.size_boundary)) lacking.push_back(expected.name);
  const auto lacks = [&](const ExpectedFinding& expected) {
    return std::find(lacking.begin(), lacking.end(), expected.name) != lacking.end();
  };
  kept.findings.erase(std::remove_if(kept.findings.begin(), kept.findings.end(), lacks), kept.findings.end());
  if (!lacking.empty())
    spdlog::warn("findings of groups with fewer than two sets here are not judged: {}", fmt::join(lacking, ", "));
  return kept;
}

/// Nothing of a single set.
std::optional<FindingsRecord> findings_of(const BenchmarkRecord& record, const BenchmarkOptions& options) {
  std::vector<std::string> expected;
  for (const ExpectedFinding& one : options.expectations.findings) expected.push_back(one.name);
  const std::vector<Finding> findings = benchmark_findings(record, options.size_boundary, expected);
  if (findings.empty()) return std::nullopt;
  return judged(findings, expectations_of(record, options));
}

std::vector<Figure> drawn_figures(const BenchmarkRecord& record, const std::filesystem::path& images) {
  std::vector<Figure> figures;
  for (Figure& figure : benchmark_figures(record))
    if (exists(images / (figure.file + ".png"))) figures.push_back(std::move(figure));
  return figures;
}

/// Those that the paper has something to say of.
FindingsRecord beside_the_paper(FindingsRecord findings) {
  const auto alone = [](const JudgedFinding& f) { return !f.verdict && !f.paper && f.source.empty(); };
  findings.list.erase(std::remove_if(findings.list.begin(), findings.list.end(), alone), findings.list.end());
  return findings;
}

void print_summary(const RunRecord& record) {
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  std::fputs(benchmark_summary(*record.benchmark, columns).c_str(), stdout);
  if (!record.findings) return;
  const FindingsRecord shown = beside_the_paper(*record.findings);
  if (!shown.list.empty()) std::fputs(findings_table(shown, columns).c_str(), stdout);
}

/// Tables and pictures, metrics.json; the summary on the terminal.
void write_record(const BenchmarkOptions& options, BenchmarkRecord benchmark, const RunContext& run) {
  write_results(benchmark, run.directory);
  RunRecord record = begun_record(options.common, run);
  if (options.set.empty()) {
    record.findings = findings_of(benchmark, options);
    record.figures = drawn_figures(benchmark, run.directory.path() / "images");
  }
  record.benchmark = std::move(benchmark);
  run.directory.write_json("metrics.json", to_json(record));
  if (!run.quiet) print_summary(record);
}

/// The published results of the sets of this benchmark, as shares.
PublishedScores published_scores(const PublishedResults& results, const std::vector<BenchmarkSet>& sets) {
  PublishedScores scores;
  scores.source = "published with the collection";
  scores.table.methods = results.methods;
  std::vector<Index> rows;
  for (const BenchmarkSet& set : sets) {
    const auto row = std::find(results.sets.begin(), results.sets.end(), set.name);
    if (row == results.sets.end()) continue;
    rows.push_back(static_cast<Index>(row - results.sets.begin()));
    scores.table.sets.push_back(set.name);
  }
  scores.table.scores.resize(static_cast<Index>(rows.size()), results.accuracy.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    scores.table.scores.row(static_cast<Index>(i)) = results.accuracy.row(rows[i]) / 100;
  return scores;
}

/// Sets of the collection that could not be opened, as far as they are asked for.
std::vector<BenchmarkSet> damaged_sets(const Collection& collection, const BenchmarkOptions& options) {
  std::vector<BenchmarkSet> damaged;
  if (!options.sets.empty()) return damaged;  // one that is asked for has ended the run
  for (const auto& [name, why] : collection.damaged) {
    BenchmarkSet set;
    set.name = name;
    set.failure = why;
    damaged.push_back(std::move(set));
  }
  return damaged;
}

InputDigest digest_of(const TableSet& set) {
  InputDigest digest;
  digest.add<double>("inputs", set.rows.inputs);
  digest.add<double>("targets", set.rows.targets);
  digest.add_source(set.source);
  return digest;
}

/// The set that is named alone, in this process.
std::function<void(const RunContext&)> load_set(const BenchmarkOptions& options, const RandomStream& stream) {
  const auto read = in_section(kSection, [&] {
    const Collection collection = open_collection(options);
    selected_sets(collection, options);
    auto set = std::make_shared<const TableSet>(
        prepared_set(collection.read(options.set), options, stream.named("set/" + options.set)));
    return std::make_pair(collection.name, std::move(set));
  });
  return [options, read](const RunContext& run) {
    const TableSet& set = *read.second;
    digest_of(set).keep_in(run.directory);
    BenchmarkRecord record = begin_record(options, read.first);
    const RunContext own{run.directory, run.stream.named("set/" + set.name), run.quiet};
    run_with_summarized_warnings(set.name, run.directory, [&] {
      record.sets = {in_section(kSection, [&] { return run_set(set, options, own); })};
    });
    write_record(options, std::move(record), run);
  };
}

std::function<void(const RunContext&)> load_sets(const BenchmarkOptions& options) {
  const auto collection =
      std::make_shared<const Collection>(in_section(kSection, [&] { return open_collection(options); }));
  const std::vector<TableSetSize> sets = in_section(kSection, [&] { return selected_sets(*collection, options); });
  for (const DamagedSet& damaged : collection->damaged) spdlog::warn("{} is left out: {}", damaged.name, damaged.why);
  for (const std::string& note : collection->notes) spdlog::info("{}", note);
  return [options, collection, sets](const RunContext& run) {
    BenchmarkRecord record = begin_record(options, collection->name);
    record.sets = run_sets(sets, options, run);
    for (BenchmarkSet& set : damaged_sets(*collection, options)) record.sets.push_back(std::move(set));
    if (collection->published) record.published.push_back(published_scores(*collection->published, record.sets));
    write_record(options, std::move(record), run);
  };
}

/// A stage a set. What one keeps is gone when the next begins.
Plan plan_benchmark(const BenchmarkOptions& options) {
  const Collection collection = in_section(kSection, [&] { return open_collection(options); });
  const std::vector<TableSetSize> sets = in_section(kSection, [&] { return selected_sets(collection, options); });
  Plan plan;
  plan.notes.push_back(fmt::format("{}: {} of {} sets", collection.name, sets.size(), collection.sets.size()));
  for (const BenchmarkMethod& column : columns_of(options))
    plan.notes.push_back("method " + column.label + ": " + column.summary);
  for (const DamagedSet& damaged : collection.damaged)
    plan.notes.push_back(fmt::format("{} is left out: {}", damaged.name, damaged.why));
  plan.notes.insert(plan.notes.end(), collection.notes.begin(), collection.notes.end());
  for (const TableSetSize& set : sets) {
    for (const std::string& warning : set.warnings) plan.notes.push_back(set.name + ": " + warning);
    PlannedStage stage{set.name, set_cost(set, options), static_cast<Index>(plan.stages.size())};
    stage.cost.algorithm = fmt::format(
        "{} x {}, {}", set.rows, set.features,
        set.task == Task::classification ? fmt::format("{} classes", set.outputs) : std::string("regression"));
    plan.stages.push_back(std::move(stage));
  }
  Index cells = 0;
  for (const NamedMethod& method : options.methods) cells += method.method->cells();
  plan.notes.push_back(fmt::format("{} cells are tried on each set", cells));
  return plan;
}

}  // namespace

PreparedExperiment prepare_benchmark(const Config& root, const CommonOptions& common) {
  const BenchmarkOptions options = parse_benchmark(root, common);
  PreparedExperiment prepared;
  prepared.plan = [options] { return plan_benchmark(options); };
  prepared.load = [options](const RandomStream& stream) {
    return options.set.empty() ? load_sets(options) : load_set(options, stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
