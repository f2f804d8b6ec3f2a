// What a run will cost, before it starts: chosen algorithms, bytes and flops by stage, and whether it fits.
#pragma once

#include <string>
#include <vector>

#include "core/base/cost.h"
#include "core/data/loading/load_dataset.h"
#include "experiments/options/options.h"

namespace ansatz::experiments {

struct PlannedStage {
  std::string name;
  Cost cost;
  Index part = 0;  ///< what the stages of one part keep is gone when those of the next begin
};

struct Plan {
  DatasetSize size;
  std::vector<PlannedStage> stages;
  std::vector<std::string> notes;  ///< lines
  double model_bytes = 0;          ///< on disk: what save.models writes, at most

  double flops() const;
  double peak_bytes() const;  ///< largest of (all that the part kept before and in the stage + its working bytes), plus
                              ///< the program itself
  std::string largest_stage() const;  ///< by its own bytes
};

Plan plan_feature_comparison(const FeatureComparisonOptions& options);
Plan plan_feature_comparison(const FeatureComparisonOptions& options, const DatasetSize& size);  ///< of its data set

/// Throws MemoryError (exit 4) if the plan exceeds available_memory(), saying by how much, at which stage, and what
/// would make it fit.
void require_fits(const Plan& plan);

/// Flops a second that whole stages reach here now, on the threads there are: measured, in a few hundredths of a
/// second.
double stage_rate();

/// The text of `ansatz plan`.
std::string describe(const Plan& plan, std::size_t width = 0);

}  // namespace ansatz::experiments
