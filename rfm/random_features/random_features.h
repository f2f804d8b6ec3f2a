// A random feature map phi with phi(x).phi(z) = K(x, z; M) in expectation (Rahimi and Recht, 2008).
#pragma once

#include "rfm/pairs/metric_coordinates.h"
#include "rfm/random_features/spectral_density.h"

namespace ansatz::rfm {

struct RandomFeatureOptions {
  Index features = 2048;    ///< D; even for all kernels but nngp
  bool orthogonal = false;  ///< orthogonal directions (Yu et al., 2016), for kernels of the Euclidean distance and nngp

  bool operator==(const RandomFeatureOptions& o) const { return features == o.features && orthogonal == o.orthogonal; }
};

/// D features in the coordinates p of MetricCoordinates, <x,z>_M = p(x).p(z):
/// - radial kernels: sqrt(2/D) (cos W p, sin W p), W (D/2 x q). Pairs rather than sqrt(2/D) cos(w.p + b) of D
///   frequencies: the error's variance at u = x - z is (1 + K(2u) - 2 K(u)^2) / D beside (1 + K(2u)/2 - K(u)^2) / D,
///   which is less wherever K(2u) < 2 K(u)^2 (everywhere for the Gaussian and Laplace kernels); phi(x).phi(x) = 1
///   exactly; and the map needs half the products.
/// - nngp of one hidden layer: sqrt(2/D) max(0, W p), W (D x q).
/// Immutable. Safe to call from several threads.
template <class Scalar>
class RandomFeatures {
 public:
  /// `x` (n x d) fixes the origin of the coordinates, no more. Draws from `stream`: with the same stream, fewer
  /// features of a kernel that are not orthogonal have the first of the frequencies. Throws ConfigError if the kernel
  /// has no density, features < 1 or odd, or orthogonal ones do not exist for it; and what MetricCoordinates throws.
  RandomFeatures(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                 const RandomFeatureOptions& options, const RandomStream& stream);
  RandomFeatures(const SpectralDensity& density, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                 const RandomFeatureOptions& options, const RandomStream& stream);

  Index count() const { return features_; }                           ///< D
  Index input_dimension() const { return coordinates_.dimension(); }  ///< d
  const Matrix<Scalar>& frequencies() const { return frequencies_; }  ///< W
  const MetricCoordinates<Scalar>& coordinates() const { return coordinates_; }
  const Kernel& kernel() const { return kernel_; }
  bool heavy_tailed() const { return heavy_tailed_; }  ///< see SpectralDensity

  /// phi of the rows of x: b x d -> b x D, on all threads.
  Matrix<Scalar> map(const MatrixView<Scalar>& x) const;
  /// Gradients of phi(x).weights in M's coordinates, (c b) x q, for weights D x c: row output * b + i holds that of
  /// `output` at point i. With G = sqrt(2/D) (-sin(Wp) diag(a) + cos(Wp) diag(b)), weights (a, b), they are G W.
  Matrix<Scalar> gradients(const PreparedPoints<Scalar>& points, const Matrix<Scalar>& weights) const;

 private:
  Matrix<Scalar> phases(const PreparedPoints<Scalar>& points, Index begin, Index rows) const;

  FeatureFunction function_;
  bool heavy_tailed_;
  Kernel kernel_;
  Index features_;
  MetricCoordinates<Scalar> coordinates_;
  Matrix<Scalar> frequencies_;
};

}  // namespace ansatz::rfm
