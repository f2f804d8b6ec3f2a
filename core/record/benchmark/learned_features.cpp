#include "core/record/benchmark/learned_features.h"

#include <utility>

namespace ansatz {

template <class Scalar>
LearnedFeatures learned_features(const FeatureMatrix<Scalar>& matrix, std::string learned_from, Index k) {
  const EigenPairs<Scalar> pairs = matrix.top_eigenpairs(k);
  const Index kept = (pairs.values.array() > Scalar(0)).count();  // beyond the rank the vectors mean nothing
  LearnedFeatures features{std::move(learned_from), matrix.trace(), matrix.diagonal_in_double(),
                           pairs.values.head(kept).template cast<double>(),
                           pairs.vectors.topRows(kept).template cast<double>()};
  for (Index i = 0; i < kept; ++i) {
    Index largest = 0;
    features.eigenvectors.row(i).cwiseAbs().maxCoeff(&largest);
    if (features.eigenvectors(i, largest) < 0) features.eigenvectors.row(i) *= -1;
  }
  return features;
}

template LearnedFeatures learned_features(const FeatureMatrix<float>&, std::string, Index);
template LearnedFeatures learned_features(const FeatureMatrix<double>&, std::string, Index);

}  // namespace ansatz
