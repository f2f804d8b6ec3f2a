// The paper's low-rank tasks, whose expected gradient outer product is known exactly (Figs 10, 14, 16; appendix D).
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/data/synthetic/polynomial.h"

namespace ansatz {

/// Of degree 1 a sum over directions is a function of one; of higher ones the moments are no longer exact.
inline constexpr Index kLeastHermiteDegree = 2, kMostHermiteDegree = 10;

/// The options of low_rank. The comment of make_low_rank says what the targets are.
struct LowRankOptions {
  std::string target = "x1x2";  ///< x1x2 | he2_he4 | piecewise | hermite | custom
  Index dimension = 30;
  std::string input_distribution = "gaussian";  ///< gaussian | rademacher
  double input_variance = 1;                    ///< of each coordinate (rademacher: scales the +-1 by its root)
  double input_noise_variance = 0;              ///< Gaussian noise added to the inputs after the targets were computed
  double label_noise_variance = 0;
  Index directions = 2, degree = 2;   ///< hermite only: the intrinsic dimension, and how hard each direction is
  std::vector<PolynomialTerm> terms;  ///< custom only
};

/// The smallest d at which low_rank's `target` ("x1x2", "piecewise", ...) has all its variables. 1 for custom, whose
/// terms determine it.
Index least_dimension(const std::string& target);

/// Draws train, validation and test rows and states the truth. Coordinates are independent, N(0, s^2) or +-s with equal
/// chance (Rademacher), with s^2 = input_variance: a variance, so that the paper's "1/4" for Fig. 10 is 0.25 as a
/// variance and 0.0625 as a standard deviation. The target is computed from these x; then Gaussian noise of
/// input_noise_variance is added to the inputs and of label_noise_variance to the targets, in all three parts alike.
/// The truth is the EGOP, E[grad f grad f^T] over the noise-free x, as a sandwich (for Rademacher inputs with the
/// polynomial's gradient), and Var f. Targets, with variables numbered from 1 as in the paper:
/// - x1x2: f = x1 x2. EGOP = s^2 diag(1, 1, 0, ...), Var f = s^4.
/// - he2_he4: f = He2(z) + He4(z) = z^4 - 5 z^2 + 2, z = u.x, |u| = 1 uniform from the stream "data/direction".
///   EGOP = E[(4 z^3 - 10 z)^2] u u^T (Gaussian: 240 s^6 - 240 s^4 + 100 s^2; s = 1: 100, and Var f = 26).
/// - piecewise: f = x1 x2 1{x4 > 0} + x3 1{x4 < 0}. EGOP = diag(s^2/2, s^2/2, 1/2, 0, ...), Var f = s^4/2 + s^2/2.
///   The jump at x4 = 0 has no gradient, so that x4 is in the subspace but not in the EGOP.
/// - hermite: f = (1 / sqrt(r)) sum_i He_p(x_i) / sqrt(p!) over the first r = `directions` coordinates, p = `degree`,
///   He_p the probabilists' Hermite polynomial. Gaussian with s = 1: Var f = 1, EGOP = (p / r) diag(1, .., 1, 0, ...),
///   for any d, r and p: what changes is the difficulty alone.
/// - custom: the polynomial of the given terms. EGOP_ij = E[df/dx_i df/dx_j], from the moments of x.
/// The parts come from the streams "data/train", "data/validation" and "data/test", their noise from streams below
/// these, so that neither sizes nor noise shift anything else; float and double see the same draws. Throws ConfigError
/// if the dimension is too small for the target, or the target or distribution is unknown.
template <class Scalar>
Split<Scalar> make_low_rank(const LowRankOptions& options, Index train, Index validation, Index test,
                            const RandomStream& stream);

/// The target f(x), without noise, for the rows of x (b x d) -> b x 1. `stream` must be that of make_low_rank (he2_he4
/// draws its direction from it).
template <class Scalar>
Matrix<Scalar> low_rank_target(const LowRankOptions& options, const MatrixView<Scalar>& x, const RandomStream& stream);

}  // namespace ansatz
