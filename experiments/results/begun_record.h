// What the records of all experiments begin with.
#pragma once

#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/results/conventions.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

/// Which run it is, its conventions and its config.
inline RunRecord begun_record(const CommonOptions& common, const RunContext& run) {
  RunRecord record;
  record.experiment = common.experiment;
  record.name = common.name;
  record.seed = common.seed;
  record.conventions = conventions();
  record.config = run.directory.config();
  return record;
}

}  // namespace ansatz::experiments
