// The harmonics of a sphere by their degree, and targets made of them.
#pragma once

#include <functional>

#include "core/base/matrix.h"
#include "core/base/random.h"

namespace ansatz::experiments {

/// n points drawn uniformly from the sphere of radius sqrt(d) in d dimensions (n x d), where coordinates have variance
/// 1 (Ghorbani, Mei, Misiakiewicz and Montanari 2019).
Matrix<double> sphere_points(Index n, Index dimension, RandomStream stream);

/// How many independent harmonics of that degree there are in d >= 3 dimensions: 1, d, (d + 2)(d - 1)/2, ...; about
/// d^l / l!.
double harmonic_count(Index dimension, Index degree);

/// P_l of each entry of `cosines`: the Gegenbauer polynomial of d >= 3 dimensions with P_l(1) = 1 (Legendre's for
/// d = 3). On the sphere the mean of P_l(w.x) P_m(w.x), |w| = |x| = 1, is 1/N for l = m and else 0, N the count above.
Matrix<double> gegenbauer(Index dimension, Index degree, const Matrix<double>& cosines);

/// sqrt(N) P_l(w.x / sqrt(d)): the polynomial of degree l of w.x that has mean square 1. x: n x d as of
/// sphere_points(), direction: d of length 1; n x 1.
Matrix<double> gegenbauer_target(Index degree, const Vector<double>& direction, const MatrixView<double>& x);

/// The eigenvalue, on all harmonics of that degree, of the kernel that is k(cosine) on the sphere: the mean of
/// k(t) P_l(t) over the cosines t of uniform points. By quadrature over the angle. k: entry by entry.
double kernel_eigenvalue(const std::function<Matrix<double>(const Matrix<double>&)>& k, Index dimension, Index degree);

}  // namespace ansatz::experiments
