// Kernels with and without a feature matrix M, by name and parameter, and their matrices.
#pragma once

#include <string>

#include "core/feature_matrix.h"
#include "core/linalg.h"
#include "core/random.h"
#include "rfm/kernel_families.h"

namespace ansatz::rfm {

/// Rows that the adaptive bandwidth takes its median over, at most.
inline constexpr Index kBandwidthRows = 5000;

/// A kernel ready for use: a small value. Its formula is in its row in rfm/kernel_families.h.
class Kernel {
 public:
  /// Resolves an adaptive bandwidth: L times the median of |x_i - x_j|_M, i < j, over at most kBandwidthRows rows of x
  /// (n x d, n >= 2) drawn from `stream`. `metric`, `x` and `stream` are used for nothing else.
  /// Throws ConfigError if a parameter is out of range, NumericalError if that median is 0 or not finite.
  template <class Scalar>
  static Kernel make(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                     const RandomStream& stream);
  /// A constant bandwidth (the mode of `spec` is not looked at). ConfigError if a parameter is out of range.
  static Kernel make(const KernelSpec& spec);

  /// `norm` and `exponent` are p and q of every p-norm kernel, also where the family sets them.
  const KernelSpec& spec() const { return spec_; }
  double bandwidth() const { return bandwidth_; }  ///< the resolved L
  KernelShape shape() const { return info_of(spec_.family).shape; }
  bool radial() const { return shape() != KernelShape::dot_product; }  ///< a function of a distance of x and z
  /// That distance is a p-norm: it comes from elementwise differences of M^1/2 x and M^1/2 z, not from a matrix
  /// product.
  bool p_norm() const { return shape() == KernelShape::p_norm; }
  std::string describe() const;  ///< "laplace, L = 10: exp(-|x-z|_M / L)"

 private:
  KernelSpec spec_;
  double bandwidth_ = 10;
};

/// K(X, Z; M), b x n, from x (b x d) and z (n x d). Pairs closer than rounding resolves are computed by direct
/// difference, so a row of x that equals a row of z has distance exactly 0. Throws DataError if widths differ,
/// NumericalError if an input is not finite.
template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                             const MatrixView<Scalar>& z);
/// K(X, X; M), n x n: both triangles, exactly symmetric, with the exact diagonal.
template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x);

}  // namespace ansatz::rfm
