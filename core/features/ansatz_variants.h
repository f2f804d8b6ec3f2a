// The variants of the Neural Feature Ansatz that the literature uses, each under its own name. The choice matters: in
// the lazy regime, power and centring alone move the correlation of one network from 0.3 to 0.9.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/features/comparison.h"

namespace ansatz {

struct AnsatzVariant {
  std::string name;       ///< identifier, e.g. "w_centered_agop_sqrt"
  std::string label;      ///< for people, e.g. "WᵀW ~ centred AGOP^1/2"
  std::string left;       ///< "WᵀW" or "(W−W₀)ᵀ(W−W₀)"
  std::string right;      ///< "AGOP", "centred AGOP^1/2", "W₀ᵀW₀", ...
  double power = 1;       ///< to which the gradient outer product is raised: 1, 1/2 or the fitted one
  bool centered = false;  ///< per-output mean gradients subtracted
  bool baseline = false;  ///< WᵀW ~ W₀ᵀW₀, without which a high correlation means nothing
  EntrySimilarity similarity;
};

/// The matrices of one layer that the ansatz compares, all d x d. Those that are not known are absent.
template <class Scalar>
struct LayerFeatures {
  MatrixSummary<Scalar> nfm;                                 ///< WᵀW
  std::optional<MatrixSummary<Scalar>> change;               ///< (W−W₀)ᵀ(W−W₀)
  std::optional<MatrixSummary<Scalar>> initial;              ///< W₀ᵀW₀
  std::optional<MatrixSummary<Scalar>> agop, agop_centered;  ///< over the same points
};

/// (W−W₀)ᵀ(W−W₀) of a layer's weights now and before training, both k x d. DataError if their shapes differ.
template <class Scalar>
FeatureMatrix<Scalar> change_features(const Matrix<Scalar>& weights, const Matrix<Scalar>& initial);

struct AnsatzVariantName {
  std::string name, left, right;  ///< as in AnsatzVariant
};
/// All variants that ansatz_variants() can give, in the same order.
std::vector<AnsatzVariantName> ansatz_variant_table();

/// {WᵀW, (W−W₀)ᵀ(W−W₀)} x {AGOP, centred AGOP} x {power 1, 1/2, fitted}, in that order, the last factor fastest, then
/// the baseline WᵀW ~ W₀ᵀW₀. Variants that need an absent matrix are left out. The fitted power is that of
/// core/features/fitted_power.h, found for each left side separately; where none is defined, it and the similarity are
/// NaN. It needs all eigenpairs, and is left out if there are more than 2048. Throws DataError if dimensions differ.
template <class Scalar>
std::vector<AnsatzVariant> ansatz_variants(const LayerFeatures<Scalar>& layer);

}  // namespace ansatz
