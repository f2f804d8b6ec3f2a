// Two methods on the same sets.
#pragma once

#include "core/statistics/wilcoxon.h"

namespace ansatz {

/// a - b over the sets on which both have a score; a set is one observation.
struct PairedComparison {
  Index sets = 0;
  Index wins = 0, ties = 0, losses = 0;  ///< of a; ties: equal to kSameScore
  double mean = 0;                       ///< of a - b; NaN without sets
  double sd = 0;                         ///< of the sample (n - 1); NaN for one set
  double confidence = 0;                 ///< of the interval
  double low = 0, high = 0;  ///< mean -+ t sd/sqrt(n), Student's t with n - 1 degrees of freedom; NaN below 2 sets
  SignedRankTest signed_ranks;
};

/// a and b: one a set, NaN where there is no score.
PairedComparison compare_paired(const Vector<double>& a, const Vector<double>& b, double confidence = 0.95);

}  // namespace ansatz
