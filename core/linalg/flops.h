// What matrix decompositions cost.
#pragma once

#include <algorithm>
#include <cmath>

namespace ansatz {

/// Flops of LAPACK's ?syevd for all eigenpairs of a matrix with that many rows.
inline double eigenpairs_flops(double rows) { return 9 * std::pow(rows, 3); }

/// Flops for the first eigenpair of W^T W, W k x d, through the smaller of W^T W and W W^T.
inline double top_eigenpair_flops(double k, double d) {
  return k * d * std::min(k, d) + eigenpairs_flops(std::min(k, d));
}

}  // namespace ansatz
