// Which mean ranks are too close to tell apart (Demsar, JMLR 2006).
#pragma once

#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Nemenyi's critical difference of the mean ranks of `methods` on `sets`: q sqrt(k (k + 1)/(6 N)), with q the upper
/// `alpha` quantile of the range of k standard normals over sqrt(2). NaN for fewer than 2 methods or no sets.
double critical_difference(Index methods, Index sets, double alpha = 0.05);

/// The bars of a critical-difference diagram: every largest group of at least two methods of which any two mean ranks
/// differ by no more than `difference`. Places in `ranks`, each group from the best down, and the groups likewise.
std::vector<std::vector<Index>> indistinct_groups(const Vector<double>& ranks, double difference);

}  // namespace ansatz
