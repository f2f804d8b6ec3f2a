// What one iteration of a Recursive Feature Machine came to.
#pragma once

#include <optional>
#include <string>

#include "core/record/solve_summary.h"
#include "core/record/split_metrics.h"

namespace ansatz {

/// How an average gradient outer product was computed.
struct GradientSummary {
  std::string form;  ///< "direct", "gram" or "sample_space"
  Index points = 0;  ///< m
  double seconds = 0, flops = 0;
};

struct RfmIteration : SplitMetrics {
  Index iteration = 0;
  SolveSummary solve = {};
  std::optional<GradientSummary> gradients = {};  ///< of the update that led to this M; none at iteration 0
  double bandwidth = 0;                           ///< resolved L
  double seconds = 0;                             ///< of this iteration, evaluation included
};

}  // namespace ansatz
