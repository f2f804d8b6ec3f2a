// Regression by a Gaussian process: what a kernel says of a function, and how sure it is, after noisy observations.
#pragma once

#include "core/features/feature_matrix.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// At b points: one mean for each of c outputs, one variance for all of them, since they have one kernel and one noise.
struct GaussianPosterior {
  Matrix<double> mean;             ///< b x c
  Vector<double> variance;         ///< b: of f; 0 where rounding would make it negative
  Vector<double> target_variance;  ///< b: of a new observation, which is the noise more
};

/// Each output is f + noise with f ~ GP(0, K) and independent noise of a known variance. The mean is that of kernel
/// ridge regression with the absolute ridge `noise_variance`. In float64 only: a variance is the difference of two
/// numbers that nearly cancel next to the observations. One Cholesky factor (n^2 numbers, n^3/3 flops) serves all.
class GaussianProcess {
 public:
  /// x: n x d, y: n x c; `kernel` with its bandwidth resolved. Throws ConfigError if the noise variance is negative,
  /// DataError if sizes do not fit, NumericalError if y is not finite or if K + noise I is singular to rounding,
  /// MemoryError if K does not fit.
  GaussianProcess(Kernel kernel, const FeatureMatrix<double>& metric, const MatrixView<double>& x,
                  const Matrix<double>& y, double noise_variance);

  Index size() const { return points_.size(); }           ///< n
  Index outputs() const { return coefficients_.cols(); }  ///< c
  double noise_variance() const { return noise_variance_; }

  /// x: b x d. Some rows at a time; no b x b array.
  GaussianPosterior posterior(const MatrixView<double>& x) const;
  /// The covariance of f between b points, b x b.
  Matrix<double> covariance(const MatrixView<double>& x) const;
  /// log p(y_c | x) of each output, natural logarithm: -(y' (K + noise I)^-1 y + log det(K + noise I) + n log 2 pi)
  /// / 2.
  Vector<double> log_marginal_likelihood() const;

 private:
  Matrix<double> whitened(const PreparedPoints<double>& p) const;

  Kernel kernel_;
  MetricCoordinates<double> coordinates_;
  PreparedPoints<double> points_;
  double noise_variance_;
  Matrix<double> factor_;        // upper triangle U with U^T U = K + noise I
  Matrix<double> coefficients_;  // (K + noise I)^-1 y
  Vector<double> fit_;           // c: y' (K + noise I)^-1 y
};

}  // namespace ansatz::rfm
