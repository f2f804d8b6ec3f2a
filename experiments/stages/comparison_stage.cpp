#include "experiments/stages/comparison_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ansatz::experiments {
namespace {

template <class Scalar>
std::vector<IdentifiedFeatures<Scalar>> all_features(const std::optional<NetworkResult<Scalar>>& network,
                                                     const std::optional<RfmResult<Scalar>>& rfm,
                                                     const std::optional<GroundTruth<Scalar>>& truth, Index top) {
  std::vector<IdentifiedFeatures<Scalar>> features;
  const Index shown = std::max(kSpectrumLength, top + 1);
  const auto add = [&](const FeatureId& id, const FeatureMatrix<Scalar>& matrix, bool in_spectra = true) {
    features.push_back({id, MatrixSummary<Scalar>(matrix, in_spectra ? shown : top + 1)});
  };
  if (network) {
    add(FeatureId::nfm(), network->nfm);
    add(FeatureId::agop(), network->agop);
    add(FeatureId::centered_agop(), network->agop_centered);
    if (network->initial_nfm) add(FeatureId::initial_nfm(), *network->initial_nfm);
  }
  if (rfm) {
    for (std::size_t t = 0; t < rfm->trace.feature_matrices.size(); ++t)
      add(FeatureId::rfm(static_cast<Index>(t)), rfm->trace.feature_matrices[t],
          static_cast<Index>(t) == rfm->feature_iteration());
  }
  if (truth) add(FeatureId::truth(), truth->expected_agop);
  return features;
}

/// What is compared with what, the most telling first. `learned`: the features that the RFM learned, if it did.
template <class Scalar>
std::vector<std::pair<FeatureId, FeatureId>> pairs_to_compare(const std::optional<FeatureId>& learned,
                                                              const ComparisonResult<Scalar>& result) {
  std::vector<std::pair<FeatureId, FeatureId>> pairs;
  const auto add = [&](const std::optional<FeatureId>& a, const std::optional<FeatureId>& b) {
    if (a && b && *a != *b && result.find(*a) != nullptr && result.find(*b) != nullptr) pairs.emplace_back(*a, *b);
  };
  add(FeatureId::nfm(), learned);
  add(FeatureId::initial_nfm(), learned);
  add(FeatureId::nfm(), FeatureId::agop());
  add(FeatureId::nfm(), FeatureId::centered_agop());
  add(FeatureId::nfm(), FeatureId::initial_nfm());
  add(FeatureId::agop(), learned);
  add(FeatureId::nfm(), FeatureId::truth());
  add(FeatureId::initial_nfm(), FeatureId::truth());
  add(learned, FeatureId::truth());
  for (const IdentifiedFeatures<Scalar>& f : result.features)
    if (f.id.kind == FeatureId::Kind::rfm && f.id.iteration > 0 && f.id != learned) add(FeatureId::nfm(), f.id);
  return pairs;
}

/// Those of the first layer, all but its change already among the result's.
template <class Scalar>
LayerFeatures<Scalar> layer_features(const NetworkResult<Scalar>& network, const ComparisonResult<Scalar>& result) {
  LayerFeatures<Scalar> layer{result.find(FeatureId::nfm())->summary,
                              {},
                              {},
                              result.find(FeatureId::agop())->summary,
                              result.find(FeatureId::centered_agop())->summary};
  if (network.initial) {
    layer.change.emplace(change_features(network.network.weight(1), network.initial->weight(1)));
    layer.initial = result.find(FeatureId::initial_nfm())->summary;
  }
  return layer;
}

template <class Scalar>
std::optional<FeatureEvolution> evolution(const NetworkResult<Scalar>& network, const MatrixSummary<Scalar>* learned,
                                          const FeatureMatrix<Scalar>* truth) {
  if (network.snapshot_epochs.size() < 2) return std::nullopt;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto against = [&](const FeatureMatrix<Scalar>* m, const Vector<double>& now) {
    return m == nullptr ? nan : pearson(now, m->diagonal().template cast<double>());
  };
  const auto as_vector = [](const auto& row) -> Vector<double> { return row.transpose().template cast<double>(); };
  FeatureEvolution e;
  for (Index i = 0; i < network.snapshot_diagonals.rows(); ++i) {
    const Vector<double> now = as_vector(network.snapshot_diagonals.row(i));
    e.epochs.push_back(static_cast<double>(network.snapshot_epochs[static_cast<std::size_t>(i)]));
    e.with_rfm.push_back(against(learned == nullptr ? nullptr : &learned->matrix(), now));
    e.with_initial.push_back(against(network.initial_nfm ? &*network.initial_nfm : nullptr, now));
    e.with_truth.push_back(against(truth, now));
    if (learned != nullptr && network.snapshot_eigenvectors.size() > 0)
      e.top_with_rfm.push_back(std::fabs(
          pearson(as_vector(network.snapshot_eigenvectors.row(i)), as_vector(learned->top().vectors.row(0)))));
  }
  return e;
}

}  // namespace

template <class Scalar>
const IdentifiedFeatures<Scalar>* ComparisonResult<Scalar>::find(const FeatureId& id) const {
  for (const IdentifiedFeatures<Scalar>& f : features) {
    if (f.id == id) return &f;
  }
  return nullptr;
}

template <class Scalar>
const FeaturePair* ComparisonResult<Scalar>::find_pair(const FeatureId& a, const FeatureId& b) const {
  for (const FeaturePair& pair : pairs) {
    if (pair.a == a && pair.b == b) return &pair;
  }
  return nullptr;
}

template <class Scalar>
ComparisonResult<Scalar> compare_features(const std::optional<NetworkResult<Scalar>>& network,
                                          const std::optional<RfmResult<Scalar>>& rfm,
                                          const std::optional<GroundTruth<Scalar>>& truth,
                                          const ComparisonOptions& options) {
  ComparisonResult<Scalar> result;
  result.features = all_features(network, rfm, truth, options.top_eigenvectors);
  const std::optional<FeatureId> learned =
      rfm && rfm->feature_iteration() > 0 ? std::optional(rfm->feature_id()) : std::nullopt;
  result.has_headline = network && learned;
  for (const auto& [a, b] : pairs_to_compare(learned, result)) {
    result.pairs.push_back({a, b, compare(result.find(a)->summary, result.find(b)->summary, options)});
  }
  if (network) {
    result.variants = ansatz_variants(layer_features(*network, result));
    if (!network->deeper_layers.empty()) {
      result.by_layer = network->deeper_layers;
      result.by_layer.insert(result.by_layer.begin(), result.variants);
    }
    result.evolution = evolution<Scalar>(*network, learned ? &result.find(*learned)->summary : nullptr,
                                         truth ? &truth->expected_agop : nullptr);
  }
  return result;
}

template struct ComparisonResult<float>;
template struct ComparisonResult<double>;
template ComparisonResult<float> compare_features(const std::optional<NetworkResult<float>>&,
                                                  const std::optional<RfmResult<float>>&,
                                                  const std::optional<GroundTruth<float>>&, const ComparisonOptions&);
template ComparisonResult<double> compare_features(const std::optional<NetworkResult<double>>&,
                                                   const std::optional<RfmResult<double>>&,
                                                   const std::optional<GroundTruth<double>>&, const ComparisonOptions&);

}  // namespace ansatz::experiments
