// Which feature matrices of a run are compared with which, and how their likeness grew over training.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/features/ansatz_variants.h"
#include "core/features/feature_id.h"
#include "experiments/stages/kernel_stages.h"
#include "experiments/stages/network_stage.h"

namespace ansatz::experiments {

/// Eigenvalues that the spectra show.
inline constexpr Index kSpectrumLength = 20;

template <class Scalar>
struct IdentifiedFeatures {
  FeatureId id;
  MatrixSummary<Scalar> summary;

  const FeatureMatrix<Scalar>& matrix() const { return summary.matrix(); }
};

struct IdentifiedComparison {
  FeatureId a, b;
  FeatureComparison values;
};

/// Pearson r of diag(W₁ᵀW₁) at each kept epoch with the RFM's diagonal and with its own initial value; |r| of its top
/// eigenvector with the RFM's (empty where these were not kept or there is no RFM).
struct FeatureEvolution {
  std::vector<double> epochs, with_rfm, with_initial, with_truth;  ///< NaN where there is nothing to compare with
  std::vector<double> top_with_rfm;
};

template <class Scalar>
struct ComparisonResult {
  std::vector<IdentifiedFeatures<Scalar>> features;  ///< all there are, in order of importance
  std::vector<IdentifiedComparison> pairs;           ///< headline first
  std::vector<AnsatzVariant> variants;               ///< of the Neural Feature Ansatz, if there is a network
  std::optional<FeatureEvolution> evolution;
  bool has_headline = false;  ///< pairs[0] is network against RFM

  const IdentifiedFeatures<Scalar>* find(const FeatureId& id) const;
  const IdentifiedComparison* find_pair(const FeatureId& a, const FeatureId& b) const;
};

template <class Scalar>
ComparisonResult<Scalar> compare_features(const std::optional<NetworkResult<Scalar>>& network,
                                          const std::optional<RfmResult<Scalar>>& rfm,
                                          const std::optional<GroundTruth<Scalar>>& truth,
                                          const ComparisonOptions& options);

}  // namespace ansatz::experiments
