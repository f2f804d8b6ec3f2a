// The main job: a network and an RFM on the same data, their feature matrices compared and shown.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/record/run_record.h"
#include "experiments/experiment.h"
#include "experiments/models.h"
#include "experiments/options/tune_options.h"

namespace ansatz::experiments {

/// What a comparison leaves beside its files.
struct ComparedModels {
  RunRecord record;
  std::shared_ptr<const Models> models;
};

/// Reads all that can be wrong before a run directory is made: data and imported weights. What is returned then trains
/// and fits what the options name, compares, and leaves arrays, metrics.json and pictures in the run's directory; a
/// part that was finished comes from its state, and what it wrote stands. With `tune`, the options are those of the
/// cell that it chooses.
std::function<ComparedModels(const RunContext&)> load_comparison(const FeatureComparisonOptions& options,
                                                                 const RandomStream& stream,
                                                                 const std::optional<TuneOptions>& tune = {});

PreparedExperiment prepare_feature_comparison(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
