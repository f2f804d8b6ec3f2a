// What an experiment is: it reads its config, says what it will cost, reads its data, and runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "experiments/options/options.h"
#include "experiments/plan.h"
#include "experiments/stages/run_context.h"

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

}  // namespace ansatz::experiments
