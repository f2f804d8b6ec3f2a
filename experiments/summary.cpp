#include "experiments/summary.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/machine/terminal.h"
#include "core/record/json/run_record_json.h"
#include "experiments/results/begun_record.h"
#include "experiments/results/conventions.h"

namespace ansatz::experiments {
namespace {

NamedTexts conventions_of(const ExperimentSummary& summary) {
  NamedTexts all = conventions();
  const std::vector<std::string>& used = summary.conventions;
  if (used.empty()) return all;
  const auto unused = [&](const auto& row) { return std::find(used.begin(), used.end(), row.first) == used.end(); };
  all.erase(std::remove_if(all.begin(), all.end(), unused), all.end());
  return all;
}

}  // namespace

void write_summary(const CommonOptions& common, const std::vector<std::string>& parts, const Expectations& expectations,
                   const ExperimentSummary& summary, const RunContext& run) {
  RunRecord record = begun_record(common, run);
  record.conventions = conventions_of(summary);
  record.findings = judged(summary.findings, expectations);
  record.figures = summary.figures;
  record.parts = parts;
  run.directory.write_json("metrics.json", to_json(record));
  if (!run.quiet) std::fputs(findings_table(*record.findings, terminal_columns(STDOUT_FILENO)).c_str(), stdout);
}

}  // namespace ansatz::experiments
