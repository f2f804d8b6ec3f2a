// Which feature matrices of a run are compared with which, and how their likeness grew over training.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "experiments/stages/kernel_stages.h"
#include "experiments/stages/network_stage.h"

namespace ansatz::experiments {

template <class Scalar>
struct IdentifiedFeatures {
  FeatureId id;
  MatrixSummary<Scalar> summary;

  const FeatureMatrix<Scalar>& matrix() const { return summary.matrix(); }
};

template <class Scalar>
struct ComparisonResult {
  std::vector<IdentifiedFeatures<Scalar>> features;  ///< all there are, in order of importance
  std::vector<FeaturePair> pairs;                    ///< headline first
  std::vector<AnsatzVariant> variants;               ///< of the Neural Feature Ansatz, if there is a network
  LayerVariants by_layer;                            ///< the same of every layer, if asked for and there are several
  std::optional<FeatureEvolution> evolution;
  bool has_headline = false;  ///< pairs[0] is network against RFM

  const IdentifiedFeatures<Scalar>* find(const FeatureId& id) const;
  const FeaturePair* find_pair(const FeatureId& a, const FeatureId& b) const;
};

template <class Scalar>
ComparisonResult<Scalar> compare_features(const std::optional<NetworkResult<Scalar>>& network,
                                          const std::optional<RfmResult<Scalar>>& rfm,
                                          const std::optional<GroundTruth<Scalar>>& truth,
                                          const ComparisonOptions& options);

}  // namespace ansatz::experiments
