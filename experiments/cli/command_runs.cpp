// `ansatz report` and `ansatz export`: finished runs as pages and tables.
#include <cstdio>

#include "core/base/error.h"
#include "core/files/files.h"
#include "experiments/cli/commands.h"
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
  return {ExportedTable::findings, ExportedTable::models, ExportedTable::features};
}

}  // namespace

void report_command(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& out) {
  std::printf("%s\n", viz::write_report(runs, out).c_str());
}

void export_command(const ExportArguments& arguments) {
  if (arguments.csv == arguments.latex) throw ConfigError("export: say --csv or --latex");
  const std::vector<FinishedRun> runs = with_parts(read_finished_runs(arguments.runs));
  std::string text;
  for (const ExportedTable table : tables_named(arguments.table)) {
    const std::string one = arguments.csv ? csv_table(table, runs) : latex_table(table, runs);
    text += (text.empty() || one.empty() ? "" : "\n") + one;
  }
  if (text.empty()) throw DataError("these runs have no such table; `ansatz report` shows what they have");
  if (arguments.out.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    write_file_atomically(arguments.out, text);
  }
}

}  // namespace ansatz::experiments
