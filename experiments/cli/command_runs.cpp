// `ansatz report`, `export` and `judge-again`: finished runs as pages and tables, and what is expected of them now.
#include <cstdio>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/record/json/findings_json.h"
#include "experiments/benchmark/results/table_text.h"
#include "experiments/cli/commands.h"
#include "experiments/results/findings.h"
#include "experiments/runs/export_tables.h"
#include "viz/report/report.h"

namespace ansatz::experiments {
namespace {

/// The runs, and behind each its parts.
std::vector<FinishedRun> with_parts(const std::vector<FinishedRun>& runs) {
  std::vector<FinishedRun> all;
  for (const FinishedRun& run : runs) {
    all.push_back(run);
    for (FinishedRun& part : parts_of(run)) all.push_back(std::move(part));
  }
  return all;
}

std::vector<ExportedTable> tables_named(const std::string& name) {
  if (name == "models") return {ExportedTable::models};
  if (name == "features") return {ExportedTable::features};
  if (name == "findings") return {ExportedTable::findings};
  if (name == "benchmark") return {};
  return {ExportedTable::findings, ExportedTable::models, ExportedTable::features};
}

/// The tables of benchmarks, run by run.
std::vector<std::string> benchmark_texts(const std::vector<FinishedRun>& runs, bool csv) {
  std::vector<std::string> texts;
  for (const FinishedRun& run : runs)
    for (const RunRecord& record : run.seeds) {
      if (!record.benchmark) continue;
      for (const ResultTable& table : benchmark_tables(*record.benchmark))
        texts.push_back(csv ? csv_table(table) : latex_table(table));
    }
  return texts;
}

}  // namespace

void report_command(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& out) {
  std::printf("%s\n", viz::write_report(runs, out).c_str());
}

void export_command(const ExportArguments& arguments) {
  if (arguments.csv == arguments.latex) throw ConfigError("export: say --csv or --latex");
  const std::vector<FinishedRun> runs = with_parts(read_finished_runs(arguments.runs));
  std::vector<std::string> tables;
  for (const ExportedTable table : tables_named(arguments.table))
    tables.push_back(arguments.csv ? csv_table(table, runs) : latex_table(table, runs));
  if (arguments.table.empty() || arguments.table == "benchmark")
    for (std::string& table : benchmark_texts(runs, arguments.csv)) tables.push_back(std::move(table));
  std::string text;
  for (const std::string& table : tables) text += (text.empty() || table.empty() ? "" : "\n") + table;
  if (text.empty()) throw DataError("these runs have no such table; `ansatz report` shows what they have");
  if (arguments.out.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    write_file_atomically(arguments.out, text);
  }
}

void judge_again_command(const std::filesystem::path& config, const std::filesystem::path& run) {
  const FinishedRun finished = read_finished_runs({run}).front();
  if (!finished.findings()) throw DataError(run.string() + ": a run without findings; there is nothing to judge");
  const FindingsRecord judged = judged_anew(*finished.findings(), Config::from_file(config));
  std::printf("%s\n", to_json(judged).dump().c_str());
}

}  // namespace ansatz::experiments
