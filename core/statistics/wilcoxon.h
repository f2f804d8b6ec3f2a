// Wilcoxon's signed rank test.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

/// Of paired differences; two-sided.
struct SignedRankTest {
  Index pairs = 0;                    ///< differences that are not 0
  double positive = 0, negative = 0;  ///< sums of the ranks of |d| over d > 0 and over d < 0
  double p = 1;                       ///< of sums as unequal as these, were either sign as likely
  bool exact = true;                  ///< p is of the exact distribution, not of the normal approximation
};
inline constexpr Index kMostExactPairs = 50;

/// Differences of 0 (to kSameScore) are left out, equal ones share the mean of their ranks; NaN is left out, too. Up to
/// kMostExactPairs p is exact, with ties: of all 2^n signs, 2 min(P(W <= w), P(W >= w)), at most 1. Beyond it is normal
/// with the variance corrected for ties, without correction for continuity. These are SciPy's defaults
/// (scipy.stats.wilcoxon), but that SciPy takes the normal approximation from 14 pairs on where there are ties or
/// zeros.
SignedRankTest signed_rank_test(const Vector<double>& differences);

}  // namespace ansatz
