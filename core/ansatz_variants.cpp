#include "core/ansatz_variants.h"

#include <fmt/format.h>

#include "core/error.h"

namespace ansatz {
namespace {

template <class Scalar>
struct Side {
  std::string name, label;
  double power;
  bool centered;
  MatrixSummary<Scalar> summary;
};

template <class Scalar>
std::vector<Side<Scalar>> weight_sides(const Matrix<Scalar>& weights, const Matrix<Scalar>* initial) {
  using Form = FeatureMatrix<Scalar>;
  std::vector<Side<Scalar>> sides;
  sides.push_back({"w", "W'W", 1, false, MatrixSummary<Scalar>(Form::sandwich(weights))});
  if (initial)
    sides.push_back({"dw", "(W-W0)'(W-W0)", 1, false, MatrixSummary<Scalar>(Form::sandwich(weights - *initial))});
  return sides;
}

template <class Scalar>
void add_gradient_sides(const FeatureMatrix<Scalar>& agop, bool centered, std::vector<Side<Scalar>>& sides) {
  if (agop.empty()) return;
  const std::string name = centered ? "centered_agop" : "agop", label = centered ? "centred AGOP" : "AGOP";
  sides.push_back({name, label, 1, centered, MatrixSummary<Scalar>(agop)});
  sides.push_back({name + "_sqrt", label + "^1/2", 0.5, centered, MatrixSummary<Scalar>(agop.power(0.5))});
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

template <class Scalar>
std::vector<AnsatzVariant> ansatz_variants(const Matrix<Scalar>& weights, const Matrix<Scalar>* initial,
                                           const FeatureMatrix<Scalar>& agop,
                                           const FeatureMatrix<Scalar>& centered_agop) {
  if (initial && (initial->rows() != weights.rows() || initial->cols() != weights.cols()))
    throw DataError(fmt::format("ansatz variants: the weights are {} x {} but their initial values are {} x {}",
                                weights.rows(), weights.cols(), initial->rows(), initial->cols()));
  std::vector<Side<Scalar>> gradients;
  add_gradient_sides(agop, false, gradients);
  add_gradient_sides(centered_agop, true, gradients);
  const std::vector<Side<Scalar>> sides = weight_sides(weights, initial);
  std::vector<AnsatzVariant> variants;
  for (const Side<Scalar>& left : sides)
    for (const Side<Scalar>& right : gradients) variants.push_back(variant_of(left, right));
  if (initial) {
    const Side<Scalar> before{"w0", "W0'W0", 1, false,
                              MatrixSummary<Scalar>(FeatureMatrix<Scalar>::sandwich(*initial))};
    variants.push_back(variant_of(sides.front(), before));
    variants.back().baseline = true;
  }
  return variants;
}

template std::vector<AnsatzVariant> ansatz_variants(const Matrix<float>&, const Matrix<float>*,
                                                    const FeatureMatrix<float>&, const FeatureMatrix<float>&);
template std::vector<AnsatzVariant> ansatz_variants(const Matrix<double>&, const Matrix<double>*,
                                                    const FeatureMatrix<double>&, const FeatureMatrix<double>&);

}  // namespace ansatz
