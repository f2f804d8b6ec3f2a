// Whether one quantity grows with another, in whatever way.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

/// Spearman's rho: the Pearson correlation of the ranks, equal values sharing the mean of theirs.
struct RankCorrelation {
  Index pairs = 0;
  double rho = 0;  ///< NaN below 2 pairs, and where either quantity is constant
  /// Of rho, by Bonett and Wright (2000): sqrt((1 + rho^2/2)/(n - 3)) of Fisher's z, times 1 - rho^2 to be of rho
  /// itself. NaN below 4 pairs.
  double standard_error = 0;
};

/// Of the pairs in which both are finite.
RankCorrelation rank_correlation(const Vector<double>& x, const Vector<double>& y);

}  // namespace ansatz
