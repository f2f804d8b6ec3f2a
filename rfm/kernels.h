// Kernels with and without a feature matrix M, and the pair weights from which every gradient follows.
#pragma once

#include <string>
#include <vector>

#include "core/feature_matrix.h"
#include "core/linalg.h"
#include "core/random.h"

namespace ansatz::rfm {

enum class KernelFamily { laplace, gaussian, generalized_laplace, nngp, ntk };
enum class BandwidthMode { constant, adaptive };

/// What a config says. Formulas in DESIGN section 4; r = |x-z|_M, ridge is not part of the kernel.
struct KernelSpec {
  KernelFamily family = KernelFamily::laplace;
  double bandwidth = 10;                          ///< L (radial kernels)
  BandwidthMode bandwidth_mode = BandwidthMode::constant;  ///< adaptive: L * median off-diagonal M-distance of <= 5000 seeded rows
  double exponent = 1;                            ///< gamma (generalized_laplace), in (0, 2]
  Index depth = 1;                                ///< hidden layers (nngp, ntk)
};

/// One row of `ansatz list kernels`.
struct KernelInfo {
  std::string name, formula;
};
const std::vector<KernelInfo>& kernel_table();

/// A kernel ready for use: a small value. Radial kernels depend on r, dot-product kernels (NNGP, NTK) on <x,z>_M, |x|_M, |z|_M.
/// Gradients of both are  grad_x K(x,z) = M (A(x,z) z + D(x,z) x);  radial: A = -phi'(r)/r, D = -A, both 0 at r = 0.
class Kernel {
 public:
  /// `x` and `metric` are used by the adaptive bandwidth only. Throws ConfigError if a parameter is out of range.
  template <class Scalar>
  static Kernel make(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x, const RandomStream& stream);
  /// Constant bandwidth.
  static Kernel make(const KernelSpec& spec);

  const KernelSpec& spec() const { return spec_; }
  double bandwidth() const { return bandwidth_; }  ///< the resolved L
  bool radial() const;
  std::string describe() const;  ///< "laplace, L = 10: exp(-|x-z|_M / L)"

 private:
  KernelSpec spec_;
  double bandwidth_ = 10;
};

/// Points prepared for one M: centred by `origin` (radial kernels only: distances do not change, float32 accuracy does), multiplied by M,
/// with their squared M-norms. One such value for each set of points; products between two sets then give K.
template <class Scalar>
struct PreparedPoints {
  Matrix<Scalar> points;    ///< n x d, minus origin
  Matrix<Scalar> mapped;    ///< points * M, n x d
  Vector<Scalar> norms;     ///< x^T M x, n
};
template <class Scalar>
PreparedPoints<Scalar> prepare(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x, const Vector<Scalar>& origin);

/// K(X, Z; M), b x n. Entries of coincident points are exactly the kernel's value at distance 0 when X and Z are the same object
/// (symmetric form below); between different sets, distances are max(0, .) .
template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x, const MatrixView<Scalar>& z);
/// K(X, X; M), n x n, both triangles, exactly symmetric, exact diagonal.
template <class Scalar>
Matrix<Scalar> kernel_matrix(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x);

/// The pair weights A and D (each b x n) of grad_x K(x_i, z_j) = M (A_ij z_j + D_ij x_i). `same` marks X as rows of Z at
/// `rows` (their self pairs are then exactly coincident); empty otherwise.
template <class Scalar>
struct PairWeights {
  Matrix<Scalar> a, d;  ///< d is empty for radial kernels (it is -a)
};
template <class Scalar>
PairWeights<Scalar> pair_weights(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                                 const MatrixView<Scalar>& z, const std::vector<Index>& rows = {});

}  // namespace ansatz::rfm
