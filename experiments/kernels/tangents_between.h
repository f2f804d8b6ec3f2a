// What training did to a network, seen through its tangent kernels before and after.
#pragma once

#include <optional>

#include "core/data/dataset.h"
#include "core/data/metrics.h"
#include "nets/mlp.h"
#include "nets/tangents/hidden_features.h"

namespace ansatz::experiments {

/// Kernels are summed over the outputs. Their matrices are those of the training rows.
struct TangentsBetween {
  double drift = 0;                                  ///< |Theta_t - Theta_0| / |Theta_0|
  double alignment_before = 0, alignment_after = 0;  ///< <Theta, Y Y^T> / (|Theta| |Y Y^T|)
  nets::FeatureChange change;                        ///< at the training rows
  /// On test, of ridge regression with Theta_0, with Theta_t, and with what the last layer has in Theta_t.
  Metrics before, after, last_layer;
};

/// `ridge`: of ridge_predictions. The split needs test rows.
template <class Scalar>
TangentsBetween tangents_between(const nets::Mlp<Scalar>& start, const nets::Mlp<Scalar>& end,
                                 const Split<Scalar>& split, double ridge);

/// Ridge regression with a kernel given as numbers: n x n between training rows, m x n from test rows to them. The
/// ridge is a share of the mean diagonal entry, so that a multiple of the kernel gives the same. NumericalError if no
/// factorisation succeeds.
Matrix<double> ridge_predictions(Matrix<double> kernel, const Matrix<double>& to_test, const Matrix<double>& targets,
                                 double ridge);

}  // namespace ansatz::experiments
