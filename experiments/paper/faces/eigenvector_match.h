// Which leading eigenvectors of two feature matrices are the same, in whatever order each has them.
#pragma once

#include <vector>

#include "core/base/matrix.h"

namespace ansatz::experiments {

/// |Pearson r| of each row of `a` (k x d) with each row of `b` (l x d): k x l. The sign of an eigenvector is arbitrary.
Matrix<double> eigenvector_likeness(const Matrix<double>& a, const Matrix<double>& b);

/// Row i of `likeness` -> its column, each column once: the largest entry first, then the largest of the rows and
/// columns that are left. -1 for rows that are left over where there are fewer columns.
std::vector<Index> match_best_to_best(const Matrix<double>& likeness);

/// Mean of the matched entries; NaN where nothing is matched.
double mean_of_matches(const Matrix<double>& likeness, const std::vector<Index>& matches);

}  // namespace ansatz::experiments
