// Whether several methods rank alike over many sets.
#pragma once

#include "core/statistics/score_table.h"

namespace ansatz {

/// Friedman's test of k methods on N sets, and Iman and Davenport's form of it, which is less cautious (Demsar, JMLR
/// 2006). Ranks are those of ranks_by_set, so that a missing score counts as the mean of its set; sets without any
/// score are left out.
struct FriedmanTest {
  Index methods = 0, sets = 0;
  /// (k - 1)/k sum_j (R_j - N (k + 1)/2)^2 over the mean variance of ranks on a set, R_j the sum of a method's ranks:
  /// the usual 12/(N k (k + 1)) ... where there are no ties, and corrected for them as SciPy's friedmanchisquare. NaN
  /// below 2 methods or 2 sets, and where all methods are equal on every set.
  double chi_squared = 0;
  double p = 0;                 ///< by the chi-squared distribution with k - 1 degrees of freedom
  double f = 0;                 ///< (N - 1) chi^2/(N (k - 1) - chi^2); infinite where all sets rank the methods alike
  double f_p = 0;               ///< by F with k - 1 and (k - 1)(N - 1) degrees of freedom
  double freedom = 0;           ///< k - 1
  double residual_freedom = 0;  ///< (k - 1)(N - 1)
};

FriedmanTest friedman_test(const ScoreTable& table);

}  // namespace ansatz
