#include "nets/checkpoints/fold.h"

#include "core/base/error.h"

namespace ansatz::nets {

EntrywiseMap batch_norm_map(const std::string& where, const Vector<double>& mean, const Vector<double>& variance,
                            const Vector<double>& weight, const Vector<double>& bias, double epsilon) {
  if (!(variance.minCoeff() + epsilon > 0))
    throw DataError(where + ": a running variance of " + std::to_string(variance.minCoeff()) + "; damaged");
  EntrywiseMap map;
  map.scale = weight.array() / (variance.array() + epsilon).sqrt();
  map.shift = bias.array() - map.scale.array() * mean.array();
  return map;
}

Matrix<double> normalized_weight(const Matrix<double>& magnitude, const Matrix<double>& direction) {
  const Matrix<double>&g = magnitude, &v = direction;
  if (g.size() == 1) return v * (g(0, 0) / v.norm());
  if (g.cols() == 1) return (g.array() / v.rowwise().norm().array()).matrix().col(0).asDiagonal() * v;
  return v * (g.array() / v.colwise().norm().array()).matrix().row(0).asDiagonal();
}

void fold_before(const EntrywiseMap& map, Matrix<double>& weight, Vector<double>& bias) {
  const Vector<double> added = weight * map.shift;
  bias = bias.size() == 0 ? added : bias + added;
  weight = (weight * map.scale.asDiagonal()).eval();
}

void fold_after(const EntrywiseMap& map, Matrix<double>& weight, Vector<double>& bias) {
  bias = bias.size() == 0 ? map.shift : Vector<double>(map.scale.cwiseProduct(bias) + map.shift);
  weight = (map.scale.asDiagonal() * weight).eval();
}

}  // namespace ansatz::nets
