// Ridge regression on random features: from rows and targets to a machine, without any n x n array when n > D.
#pragma once

#include "core/record/solve_summary.h"
#include "rfm/random_features/random_feature_machine.h"

namespace ansatz::rfm {

template <class Scalar>
struct RandomFeatureFit {
  RandomFeatureMachine<Scalar> machine;
  SolveSummary summary;
  Matrix<Scalar> fitted;  ///< predictions at x, n x c
};

/// w = argmin |phi(X) w - Y|^2 + ridge |w|^2: the kernel machine of the kernel phi(x).phi(z), with the same absolute
/// ridge. Through the smaller of
/// - (phi(X)^T phi(X) + ridge I) w = phi(X)^T Y, D x D, summed over tiles of rows ("primal", n > D: n D^2 flops), and
/// - (phi(X) phi(X)^T + ridge I) alpha = Y, n x n, w = phi(X)^T alpha ("dual"),
/// in double whatever Scalar is, by Cholesky; if that fails, by an eigen-decomposition without the directions that are
/// 0 to rounding (the limit of small ridges), which the summary notes. Its residual is that of the normal equations,
/// relative to phi(X)^T Y.
/// x: n x d, y: n x c. Throws ConfigError on a ridge < 0, DataError if n differs, NumericalError if a target is not
/// finite or the system is not solved; Interrupted between tiles.
template <class Scalar>
RandomFeatureFit<Scalar> fit_random_features(std::shared_ptr<const RandomFeatures<Scalar>> features,
                                             const MatrixView<Scalar>& x, const MatrixView<Scalar>& y, double ridge);

}  // namespace ansatz::rfm
