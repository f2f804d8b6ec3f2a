// Experiments that read no data and consist of no parts: they compute a few numbers and draw them.
#pragma once

#include <functional>

#include "experiments/experiment.h"
#include "experiments/summary.h"

namespace ansatz::experiments {

/// `run` may draw into the run directory's images/. What it returns becomes metrics.json and the table on the terminal.
PreparedExperiment prepare_without_data(const CommonOptions& common, const Expectations& expectations,
                                        std::function<Plan()> plan,
                                        std::function<ExperimentSummary(const RunContext&)> run);

}  // namespace ansatz::experiments
