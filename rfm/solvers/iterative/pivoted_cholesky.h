// A partial Cholesky factor of K from columns that are chosen at random where K is least known.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"

namespace ansatz::rfm {

/// K ~ F F^T, which is exact on the rows and columns of the pivots: the Nystrom approximation from those columns.
template <class Scalar>
struct PartialCholesky {
  Matrix<Scalar> factor;      ///< F, n x s
  std::vector<Index> pivots;  ///< s points, in the order in which they were taken
  Vector<double> left;        ///< diagonal of K - F F^T, n, never negative
};

/// Randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber 2023): each pivot is drawn with a probability in proportion
/// to what is left of the diagonal, so that points far from all others are not missed and no two pivots are alike.
/// Blocks of candidates are drawn at once and thinned by rejection, which gives the same law (Epperly, Tropp, Webber
/// 2024). Takes `rank` pivots, or fewer once nothing but rounding is left. About 2 n s^2 flops and s columns of K.
template <class Scalar>
PartialCholesky<Scalar> randomly_pivoted_cholesky(const KernelOperator<Scalar>& k, Index rank, RandomStream stream);

}  // namespace ansatz::rfm
