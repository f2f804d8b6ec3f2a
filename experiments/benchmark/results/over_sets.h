// A number that is a mean over sets, with what it is known to: a set is one observation.
#pragma once

#include <optional>

#include "core/base/matrix.h"

namespace ansatz::experiments {

struct OverSets {
  double value = 0;                           ///< NaN without sets
  std::optional<double> standard_error = {};  ///< none below two sets
};

/// The mean of the finite values, with sd/sqrt(sets).
OverSets mean_over_sets(const Vector<double>& values);
/// The same of values 0 and 1, with the standard error of a binomial share (accuracy_standard_error).
OverSets share_over_sets(const Vector<double>& values);

/// What is averaged: the larger the better but of ranks; shares are 0 or 1 on each set.
enum class MetricKind { score, share, rank };

/// By how much a method's mean over its sets is above that of the best other one (of ranks: below).
struct Lead {
  Index other = -1;  ///< column of the best other one; -1: there is none, and the value is NaN
  OverSets difference;
};

/// `by_set`: sets x methods, NaN where a set is left out. The standard error is of the differences on the sets that
/// both have; of shares it is paired_standard_error.
Lead lead_over_best(const Matrix<double>& by_set, Index method, MetricKind kind);

/// Sum of a over sum of b, over the sets on which both are above 0; the standard error is that of a ratio estimator,
/// sqrt(n/(n - 1) sum (a - ratio b)^2)/sum b.
OverSets ratio_over_sets(const Vector<double>& a, const Vector<double>& b);

}  // namespace ansatz::experiments
