// How alike two feature matrices are.
#pragma once

#include <vector>

#include "core/feature_matrix.h"

namespace ansatz {

struct ComparisonOptions {
  Index top_eigenvectors = 3;  ///< k: eigenvectors and subspaces compared up to here
};

/// All values are invariant to scaling A or B by a positive number. NaN where a quantity is undefined (a constant diagonal,
/// a zero matrix), never an exception for that.
struct FeatureComparison {
  double diagonal_pearson = 0;         ///< Pearson r of the diagonals
  double diagonal_cosine = 0;
  double matrix_pearson = 0;           ///< Pearson r over all d*d entries
  double cosine = 0;                   ///< <A,B> / (|A| |B|) over all entries
  double off_diagonal_pearson = 0;     ///< Pearson r over the d*d - d entries off the diagonal
  double off_diagonal_cosine = 0;
  std::vector<double> top_eigenvector_pearson;  ///< |Pearson r| of the i-th eigenvectors, i = 1..k
  std::vector<double> principal_angles_deg;     ///< between the top-k eigenspaces, ascending, k values
  std::vector<double> eigenvalues_a, eigenvalues_b;    ///< the k+1 largest (or d)
  std::vector<double> relative_gaps_a, relative_gaps_b;  ///< (l_i - l_{i+1}) / l_1, i = 1..k
};

/// Throws DataError if dimensions differ.
template <class Scalar>
FeatureComparison compare(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b,
                          const ComparisonOptions& options = {});

}  // namespace ansatz
