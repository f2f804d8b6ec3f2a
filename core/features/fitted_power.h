// The power at which a gradient outer product is most like a feature matrix.
#pragma once

#include "core/features/feature_matrix.h"

namespace ansatz {

inline constexpr double kLeastPower = 0.05, kLargestPower = 2;

/// The p within [kLeastPower, kLargestPower] at which the entries of G^p are most like those of L = `left` (Pearson r
/// over all d*d entries), to about 1e-4. `g` holds all eigenpairs (l_i, u_i) of G whose eigenvalue is not 0. Each r(p)
/// then takes only as many operations as there are pairs, since <L, G^p> = sum_i l_i^p u_i' L u_i and
/// 1' G^p 1 = sum_i l_i^p (1' u_i)^2. NaN if r is undefined throughout (G or L = 0). Throws DataError if the dimensions
/// differ.
template <class Scalar>
double fitted_power(const FeatureMatrix<Scalar>& left, const EigenPairs<Scalar>& g);

}  // namespace ansatz
