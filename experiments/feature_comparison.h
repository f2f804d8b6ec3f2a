// The main job: a network and an RFM on the same data, their feature matrices compared and shown.
#pragma once

#include "experiments/registry.h"

namespace ansatz::experiments {

PreparedExperiment prepare_feature_comparison(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
