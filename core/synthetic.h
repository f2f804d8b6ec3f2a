// The paper's low-rank tasks as problems that know their own answer (Figs 10, 14, 16; appendix D).
#pragma once

#include "core/load_dataset.h"

namespace ansatz {

/// Draws train, validation and test rows and states the truth: an orthonormal basis of the target's subspace and the exact
/// expected gradient outer product under the noise-free input distribution. With s^2 = input_variance:
///   x1x2       f = x_1 x_2;                        EGOP = s^2 diag(1, 1, 0, ...)
///   he2_he4    f = He2(u.x) + He4(u.x), |u| = 1 drawn from the stream "data/direction"; EGOP = E[g'(sz)^2] u u^T
///              (s = 1: 100 u u^T; Var f = 26)
///   piecewise  f = x_1 x_2 1{x_4 > 0} + x_3 1{x_4 < 0} (Fig. 10); EGOP = diag(s^2/2, s^2/2, 1/2, 0, ...) almost everywhere
///   custom     a polynomial of the given terms; EGOP from the moments of the input distribution
/// Throws ConfigError if the dimension is too small for the target.
template <class Scalar>
Split<Scalar> make_low_rank(const LowRankOptions& options, Index train, Index validation, Index test, const RandomStream& stream);

/// The target f*(x) for the rows of x (b x d) -> b x 1, for tests and plots.
template <class Scalar>
Matrix<Scalar> low_rank_target(const LowRankOptions& options, const MatrixView<Scalar>& x, const RandomStream& stream);

}  // namespace ansatz
