// How a model predicts on each part of the data.
#pragma once

#include <optional>

#include "core/data/metrics.h"

namespace ansatz {

struct SplitMetrics {
  Metrics train;
  std::optional<Metrics> validation, test;
};

}  // namespace ansatz
