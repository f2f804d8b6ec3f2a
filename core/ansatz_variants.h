// The variants of the Neural Feature Ansatz that the literature uses, each under its own name: in
// the lazy regime power and centring alone move the correlation of one network from 0.3 to 0.9.
#pragma once

#include <string>
#include <vector>

#include "core/comparison.h"

namespace ansatz {

struct AnsatzVariant {
  std::string name;       ///< identifier, e.g. "w_centered_agop_sqrt"
  std::string label;      ///< for people, e.g. "WᵀW ~ centred AGOP^1/2"
  std::string left;       ///< "WᵀW" or "(W−W₀)ᵀ(W−W₀)"
  std::string right;      ///< "AGOP", "centred AGOP^1/2", "W₀ᵀW₀", ...
  double power = 1;       ///< of the gradient outer product: 1, 1/2 or the fitted one
  bool centered = false;  ///< per-output mean gradients subtracted
  bool baseline = false;  ///< WᵀW ~ W₀ᵀW₀, without which a high correlation means nothing
  EntrySimilarity similarity;
};

/// All that ansatz_variants can give, in its order.
std::vector<std::string> ansatz_variant_names();

/// {W, W - W0} x {AGOP, centred AGOP} x {power 1, 1/2, fitted}, in that order, the last factor fastest, then the
/// baseline WᵀW ~ W₀ᵀW₀. The fitted power is that of core/fitted_power.h, for each left side its own; NaN, and so is
/// its likeness, where none is defined. It needs all eigenpairs, and is left out where they are more than 2048.
/// `weights` is a layer's k x d matrix, `initial` its value before training, or null where that is unknown (its
/// variants and the baseline are left out then). Both outer products are d x d, over the same points; an empty one
/// leaves its variants out. Throws DataError if shapes differ.
template <class Scalar>
std::vector<AnsatzVariant> ansatz_variants(const Matrix<Scalar>& weights, const Matrix<Scalar>* initial,
                                           const FeatureMatrix<Scalar>& agop,
                                           const FeatureMatrix<Scalar>& centered_agop);

}  // namespace ansatz
