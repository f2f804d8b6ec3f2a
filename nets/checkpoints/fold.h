// What stands around a Linear layer, folded into its weights and biases: the layer then computes the same.
#pragma once

#include <string>

#include "core/base/matrix.h"

namespace ansatz::nets {

/// y = scale o x + shift: a batch normalisation in inference.
struct EntrywiseMap {
  Vector<double> scale, shift;
};

/// scale = weight / sqrt(variance + epsilon), shift = bias - scale o mean. Throws DataError beginning with `where` if a
/// variance plus epsilon is not positive.
EntrywiseMap batch_norm_map(const std::string& where, const Vector<double>& mean, const Vector<double>& variance,
                            const Vector<double>& weight, const Vector<double>& bias, double epsilon);

/// W = g V / |V|. `magnitude` is k x 1 (norms of rows), 1 x d (of columns) or 1 x 1 (of the whole).
Matrix<double> normalized_weight(const Matrix<double>& magnitude, const Matrix<double>& direction);

/// W (scale o x + shift) + b = (W diag(scale)) x + (b + W shift). An empty `bias` counts as 0.
void fold_before(const EntrywiseMap& map, Matrix<double>& weight, Vector<double>& bias);

/// scale o (W x + b) + shift = (diag(scale) W) x + (scale o b + shift).
void fold_after(const EntrywiseMap& map, Matrix<double>& weight, Vector<double>& bias);

}  // namespace ansatz::nets
