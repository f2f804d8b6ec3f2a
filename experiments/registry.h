// The experiments, as a plain table: one row an experiment, nothing registers itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/config.h"
#include "experiments/options.h"
#include "experiments/plan.h"
#include "experiments/run_context.h"

namespace ansatz::experiments {

/// An experiment whose config has been read and checked.
struct PreparedExperiment {
  std::function<Plan()> plan;
  /// Reads the data (throws DataError before anything is written), then returns what remains to be done in a run
  /// directory.
  std::function<std::function<void(const RunContext&)>(const RandomStream&)> load;
};

struct Experiment {
  std::string name, summary;
  std::function<PreparedExperiment(const Config&, const CommonOptions&)> prepare;
};

const std::vector<Experiment>& all_experiments();
/// ConfigError at root's `experiment` key naming the nearest if unknown.
const Experiment& find_experiment(const Config& root, const std::string& name);

}  // namespace ansatz::experiments
