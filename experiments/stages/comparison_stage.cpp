#include "experiments/stages/comparison_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ansatz::experiments {
namespace {

template <class Scalar>
std::vector<NamedFeatures<Scalar>> all_features(const std::optional<NetworkResult<Scalar>>& network,
                                                const std::optional<RfmResult<Scalar>>& rfm,
                                                const std::optional<GroundTruth<Scalar>>& truth, Index top) {
  std::vector<NamedFeatures<Scalar>> features;
  const Index shown = std::max(kSpectrumLength, top + 1);
  const auto add = [&](const std::string& name, const std::string& label, const FeatureMatrix<Scalar>& matrix,
                       bool in_spectra = true) {
    features.push_back({name, label, MatrixSummary<Scalar>(matrix, in_spectra ? shown : top + 1)});
  };
  if (network) {
    add("network.nfm", "network W₁ᵀW₁", network->nfm);
    add("network.agop", "network AGOP", network->agop);
    add("network.agop_centered", "network AGOP, centred", network->agop_centered);
    if (network->initial_nfm) add("network.nfm0", "initial W₀ᵀW₀", *network->initial_nfm);
  }
  if (rfm) {
    for (std::size_t t = 0; t < rfm->trace.feature_matrices.size(); ++t)
      add(fmt::format("rfm.M{}", t), fmt::format("RFM M, iteration {}", t), rfm->trace.feature_matrices[t],
          static_cast<Index>(t) == rfm->feature_iteration());
  }
  if (truth) add("truth", "expected AGOP of the target", truth->expected_agop);
  return features;
}

/// Pairs of names, the most telling first. `learned` is the RFM's feature matrix, or empty.
template <class Scalar>
std::vector<std::pair<std::string, std::string>> pairs_to_compare(const std::string& learned,
                                                                  const ComparisonResult<Scalar>& result) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto add = [&](const std::string& a, const std::string& b) {
    if (a != b && result.find(a) != nullptr && result.find(b) != nullptr) pairs.emplace_back(a, b);
  };
  add("network.nfm", learned);
  add("network.nfm0", learned);
  add("network.nfm", "network.agop");
  add("network.nfm", "network.agop_centered");
  add("network.nfm", "network.nfm0");
  add("network.agop", learned);
  add("network.nfm", "truth");
  add("network.nfm0", "truth");
  add(learned, "truth");
  for (const NamedFeatures<Scalar>& f : result.features) {
    if (f.name.rfind("rfm.M", 0) == 0 && f.name != "rfm.M0" && f.name != learned) add("network.nfm", f.name);
  }
  return pairs;
}

/// Those of the first layer, all but its change already among the result's.
template <class Scalar>
LayerFeatures<Scalar> layer_features(const NetworkResult<Scalar>& network, const ComparisonResult<Scalar>& result) {
  LayerFeatures<Scalar> layer{result.find("network.nfm")->summary,
                              {},
                              {},
                              result.find("network.agop")->summary,
                              result.find("network.agop_centered")->summary};
  if (network.initial) {
    layer.change.emplace(change_features(network.network.weight(1), network.initial->weight(1)));
    layer.initial = result.find("network.nfm0")->summary;
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
const NamedFeatures<Scalar>* ComparisonResult<Scalar>::find(const std::string& name) const {
  for (const NamedFeatures<Scalar>& f : features) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

template <class Scalar>
const NamedComparison* ComparisonResult<Scalar>::find_pair(const std::string& a, const std::string& b) const {
  for (const NamedComparison& pair : pairs) {
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
  const bool learned_something = rfm && rfm->feature_iteration() > 0;
  const std::string learned = learned_something ? rfm->feature_name() : "";
  result.has_headline = network.has_value() && learned_something;
  for (const auto& [a, b] : pairs_to_compare(learned, result)) {
    result.pairs.push_back({a, b, compare(result.find(a)->summary, result.find(b)->summary, options)});
  }
  if (network) {
    result.variants = ansatz_variants(layer_features(*network, result));
    result.evolution = evolution<Scalar>(*network, learned_something ? &result.find(learned)->summary : nullptr,
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
