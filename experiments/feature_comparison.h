// The main job: a network and an RFM on the same data, their feature matrices compared and shown.
#pragma once

#include "core/run/data_digest.h"
#include "experiments/experiment.h"
#include "experiments/results/results.h"

namespace ansatz::experiments {

/// All that is read before a run directory is made: what is wrong with it must not leave half a run behind.
template <class Scalar>
struct ComparisonInputs {
  Split<Scalar> split;
  std::optional<ImportedNetwork<Scalar>> network;
  DataDigest digest;
};
template <class Scalar>
ComparisonInputs<Scalar> load_inputs(const FeatureComparisonOptions& options, const RandomStream& stream);

/// Trains and fits what the options name, compares, and leaves arrays, metrics.json and pictures in run.directory. The
/// results borrow `inputs`. `observer` looks on while the network trains.
template <class Scalar>
Results<Scalar> compare_models(const FeatureComparisonOptions& options, const ComparisonInputs<Scalar>& inputs,
                               const RunContext& run, const NetworkObserver<Scalar>& observer = {});

PreparedExperiment prepare_feature_comparison(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
