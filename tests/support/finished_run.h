// A finished run that lies in no folder.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/run/finished_run.h"

namespace ansatz::testing {

inline FinishedRun finished_run(const std::string& name, std::vector<RunRecord> seeds) {
  FinishedRun run;
  run.name = name;
  run.seeds = std::move(seeds);
  return run;
}

}  // namespace ansatz::testing
