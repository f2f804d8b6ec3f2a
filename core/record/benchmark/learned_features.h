// What a feature matrix gives to the inputs of a set.
#pragma once

#include <string>
#include <vector>

#include "core/features/feature_matrix.h"

namespace ansatz {

/// Of a matrix that a method learned, in the units of the inputs as the method saw them.
struct LearnedFeatures {
  std::string learned_from;  ///< in words: "the tuning split", "the training rows of the first fold"
  double trace = 0;
  Vector<double> diagonal;     ///< d
  Vector<double> eigenvalues;  ///< the largest k, descending
  Matrix<double>
      eigenvectors;  ///< k x d, rows of length 1: the loadings of the inputs; the largest of each is positive
};

/// The diagonal and the `k` leading eigenpairs (fewer where d or the rank is less). NumericalError as
/// FeatureMatrix::top_eigenpairs.
template <class Scalar>
LearnedFeatures learned_features(const FeatureMatrix<Scalar>& matrix, std::string learned_from, Index k = 3);

}  // namespace ansatz
