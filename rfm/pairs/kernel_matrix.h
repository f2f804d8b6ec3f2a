// Kernel matrices under a feature matrix M, and the bandwidth that adapts to the distances under it.
#pragma once

#include "core/base/matrix.h"
#include "core/base/random.h"
#include "core/features/feature_matrix.h"
#include "rfm/kernels/kernel.h"

namespace ansatz::rfm {

/// The most rows over which the adaptive bandwidth takes its median.
inline constexpr Index kBandwidthRows = 5000;

/// Resolves an adaptive bandwidth: L times the median of |x_i - x_j|_M, i < j, over at most kBandwidthRows rows of x
/// (n x d, n >= 2) drawn from `stream`. `metric`, `x` and `stream` are used for nothing else.
/// Throws ConfigError if a parameter is out of range, NumericalError if that median is 0 or not finite.
template <class Scalar>
Kernel make_kernel(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                   const RandomStream& stream);

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
