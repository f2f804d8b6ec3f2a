// What decompositions take.
#pragma once

#include <algorithm>
#include <cmath>

namespace ansatz {

/// As LAPACK's ?syevd takes for all eigenpairs of a matrix of that many rows.
inline double eigenpairs_flops(double rows) { return 9 * std::pow(rows, 3); }

/// The first of W^T W, W k x d: through the smaller of both Gram matrices.
inline double top_eigenpair_flops(double k, double d) {
  return k * d * std::min(k, d) + eigenpairs_flops(std::min(k, d));
}

}  // namespace ansatz
