// Places of scores among one another.
#pragma once

#include "core/statistics/score_table.h"

namespace ansatz {

/// The rank of each value, 1 for the largest; values that are equal (to kSameScore) share the mean of their places.
/// All finite.
Vector<double> average_ranks(const Vector<double>& values);

/// Ranks of the methods on each set, sets x methods, 1 for the best. A method without a score on a set counts as if it
/// had the mean of those that have one, as in Fernandez-Delgado et al. (2014); a set on which none has one is NaN.
Matrix<double> ranks_by_set(const ScoreTable& table);

/// Friedman ranks: the mean of those over the sets on which any method has a score. NaN without such a set.
Vector<double> friedman_ranks(const ScoreTable& table);

}  // namespace ansatz
