// What an experiment of its own kind leaves beside the runs it is made of: findings and figures.
#pragma once

#include <string>
#include <vector>

#include "experiments/options/options.h"
#include "experiments/results/findings.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

struct ExperimentSummary {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
  std::vector<std::string> conventions = {};  ///< names of those that it follows; empty: as its runs say
};

/// metrics.json with the conventions, the findings, judged, the figures and the names of the parts; the table of
/// findings on the terminal.
void write_summary(const CommonOptions& common, const std::vector<std::string>& parts, const Expectations& expectations,
                   const ExperimentSummary& summary, const RunContext& run);

}  // namespace ansatz::experiments
