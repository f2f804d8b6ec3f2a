// The experiments, as a plain table: one row an experiment, nothing registers itself.
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.h"

namespace ansatz::experiments {

const std::vector<Experiment>& all_experiments();
/// ConfigError at root's `experiment` key naming the nearest if unknown.
const Experiment& find_experiment(const Config& root, const std::string& name);

}  // namespace ansatz::experiments
