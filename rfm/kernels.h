// Kernels with and without a feature matrix M, by name and parameter, and their matrices.
#pragma once

#include <string>
#include <vector>

#include "core/feature_matrix.h"
#include "core/linalg.h"
#include "core/random.h"

namespace ansatz::rfm {

enum class KernelFamily { laplace, gaussian, generalized_laplace, lpq_laplace, product_laplace, nngp, ntk };
enum class BandwidthMode { constant, adaptive };

/// What a config says. Formulas in docs/engine.md; r = |x-z|_M. The ridge is not part of the kernel.
///   lpq_laplace      exp(-|M^1/2 (x-z)|_p^q / L^q), 0 < q <= p, 1 <= p <= 2: then it is positive definite
///   product_laplace  exp(-|M^1/2 (x-z)|_1 / L): for diagonal M a product over the coordinates
/// M^1/2 is the symmetric positive semi-definite square root (for p = 2 any F with F^T F = M would do).
struct KernelSpec {
  KernelFamily family = KernelFamily::laplace;
  double bandwidth = 10;                                   ///< L > 0 (radial kernels)
  BandwidthMode bandwidth_mode = BandwidthMode::constant;  ///< adaptive: L times the median off-diagonal M-distance
  double exponent = 1;  ///< gamma in (0, 2] (generalized_laplace), q in (0, p] (lpq_laplace)
  double norm = 2;      ///< p in [1, 2] (lpq_laplace)
  Index depth = 1;      ///< hidden layers >= 1 (nngp, ntk)
};

/// One row of `ansatz list kernels`.
struct KernelInfo {
  KernelFamily family;
  std::string name, formula;
};
const std::vector<KernelInfo>& kernel_table();
const std::string& name_of(KernelFamily family);

/// Rows that the adaptive bandwidth takes its median over, at most.
inline constexpr Index kBandwidthRows = 5000;

/// A kernel ready for use: a small value. Radial kernels depend on r only; dot-product kernels (NNGP, NTK) on
/// <x,z>_M, |x|_M and |z|_M: K = |x||z| k(u), u = cosine, k by the recursion in docs/engine.md.
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

  const KernelSpec& spec() const { return spec_; }
  double bandwidth() const { return bandwidth_; }  ///< the resolved L
  bool radial() const;                             ///< a function of a distance of x and z
  /// That distance is a p-norm, of elementwise differences of M^1/2 x and M^1/2 z instead of from a matrix product;
  /// spec().norm and spec().exponent are its p and q, of product_laplace too.
  bool p_norm() const;
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
