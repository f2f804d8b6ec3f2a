// The average gradient outer product by its definition, on any Predictor; and the check that a gradient is right.
#pragma once

#include "core/features/feature_matrix.h"
#include "core/features/predictor.h"

namespace ansatz {

struct AgopOptions {
  bool center = false;    ///< subtract, per output, the mean gradient over all points (docs/engine.md)
  bool diagonal = false;  ///< form the diagonal only
  Index batch = 256;      ///< points per Jacobian; the result does not depend on it beyond rounding
};

/// (1/m) sum_i sum_c grad f_c(x_i) grad f_c(x_i)^T over the m rows of x, dense d x d (or diagonal).
/// The slow, obvious form, against which every faster one is tested. Centring takes a second pass over the Jacobians.
/// Throws MemoryError above kDenseLimit unless diagonal, DataError for no points or another width, NumericalError if a
/// gradient is not finite.
template <class Scalar>
FeatureMatrix<Scalar> agop(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, const AgopOptions& options = {});

/// The largest absolute difference between input_jacobian() and central differences of predict() at the rows of x,
/// divided by the largest entry of the two gradients (so that a gradient that is 0 by mistake gives 1). A correct
/// gradient gives about step^2 + epsilon / step away from kinks. Use Scalar = double. NumericalError if either is not
/// finite.
template <class Scalar>
double input_jacobian_error(const Predictor<Scalar>& f, const MatrixView<Scalar>& x, double step = 1e-5);

}  // namespace ansatz
