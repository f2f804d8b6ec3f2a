#include "core/features/ansatz_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/features/fitted_power.h"

namespace ansatz {
namespace {

constexpr Index kMostEigenpairs = 2048;

template <class Scalar>
struct Side {
  std::string name, label;
  double power;
  bool centered;
  MatrixSummary<Scalar> summary;
};

template <class Scalar>
std::vector<Side<Scalar>> weight_sides(const LayerFeatures<Scalar>& layer) {
  std::vector<Side<Scalar>> sides{{"w", "WᵀW", 1, false, layer.nfm}};
  if (layer.change) sides.push_back({"dw", "(W−W₀)ᵀ(W−W₀)", 1, false, *layer.change});
  return sides;
}

/// One gradient outer product, with what is computed of it once for all left sides.
template <class Scalar>
struct Gradients {
  Side<Scalar> whole, root;
  std::optional<EigenPairs<Scalar>> eigenpairs;

  const FeatureMatrix<Scalar>& agop() const { return whole.summary.matrix(); }
};

template <class Scalar>
std::optional<Gradients<Scalar>> gradients_of(const std::optional<MatrixSummary<Scalar>>& summary, bool centered) {
  if (!summary) return std::nullopt;
  const FeatureMatrix<Scalar>& agop = summary->matrix();
  const std::string name = centered ? "centered_agop" : "agop", label = centered ? "centred AGOP" : "AGOP";
  Gradients<Scalar> gradients{{name, label, 1, centered, *summary},
                              {name + "_sqrt", label + "^1/2", 0.5, centered, MatrixSummary<Scalar>(agop.power(0.5))},
                              std::nullopt};
  const bool sandwich = agop.form() == FeatureMatrix<Scalar>::Form::sandwich;
  const Index rank = sandwich ? std::min(agop.factor().rows(), agop.dimension()) : agop.dimension();
  if (rank <= kMostEigenpairs) gradients.eigenpairs = agop.range_eigenpairs();
  return gradients;
}

/// G^p at the power p at which it is most like `left`.
template <class Scalar>
Side<Scalar> fitted_side(const Side<Scalar>& left, const Gradients<Scalar>& gradients) {
  const double p = fitted_power(left.summary.matrix(), *gradients.eigenpairs);
  const FeatureMatrix<Scalar> matrix =
      std::isnan(p) ? gradients.agop() : gradients.agop().power(p);  // NaN: G = 0, and so is every power
  return {gradients.whole.name + "_fitted", gradients.whole.label + "^p, p fitted", p, gradients.whole.centered,
          MatrixSummary<Scalar>(matrix)};
}

template <class Scalar>
AnsatzVariant variant_of(const Side<Scalar>& left, const Side<Scalar>& right) {
  return {left.name + "_" + right.name,
          left.label + " ~ " + right.label,
          left.label,
          right.label,
          right.power,
          right.centered,
          false,
          entry_similarity(left.summary, right.summary)};
}

}  // namespace

std::vector<AnsatzVariantName> ansatz_variant_table() {
  using Words = std::pair<std::string, std::string>;
  std::vector<AnsatzVariantName> table;
  for (const auto& [left, left_label] : {Words("w", "WᵀW"), Words("dw", "(W−W₀)ᵀ(W−W₀)")})
    for (const auto& [right, right_label] : {Words("agop", "AGOP"), Words("centered_agop", "centred AGOP")})
      for (const auto& [power, power_label] : {Words("", ""), Words("_sqrt", "^1/2"), Words("_fitted", "^p, p fitted")})
        table.push_back({left + "_" + right + power, left_label, right_label + power_label});
  table.push_back({"w_w0", "WᵀW", "W₀ᵀW₀"});
  return table;
}

template <class Scalar>
FeatureMatrix<Scalar> change_features(const Matrix<Scalar>& weights, const Matrix<Scalar>& initial) {
  if (initial.rows() != weights.rows() || initial.cols() != weights.cols())
    throw DataError(fmt::format("ansatz variants: the weights are {} x {} but their initial values are {} x {}",
                                weights.rows(), weights.cols(), initial.rows(), initial.cols()));
  return FeatureMatrix<Scalar>::sandwich(weights - initial);
}

template <class Scalar>
std::vector<AnsatzVariant> ansatz_variants(const LayerFeatures<Scalar>& layer) {
  const std::optional<Gradients<Scalar>> both[] = {gradients_of(layer.agop, false),
                                                   gradients_of(layer.agop_centered, true)};
  const std::vector<Side<Scalar>> sides = weight_sides(layer);
  std::vector<AnsatzVariant> variants;
  for (const Side<Scalar>& left : sides) {
    for (const auto& gradients : both) {
      if (!gradients) continue;
      variants.push_back(variant_of(left, gradients->whole));
      variants.push_back(variant_of(left, gradients->root));
      if (gradients->eigenpairs) variants.push_back(variant_of(left, fitted_side(left, *gradients)));
    }
  }
  if (layer.initial) {
    variants.push_back(variant_of(sides.front(), Side<Scalar>{"w0", "W₀ᵀW₀", 1, false, *layer.initial}));
    variants.back().baseline = true;
  }
  return variants;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                              \
  template FeatureMatrix<Scalar> change_features(const Matrix<Scalar>&, const Matrix<Scalar>&); \
  template std::vector<AnsatzVariant> ansatz_variants(const LayerFeatures<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
