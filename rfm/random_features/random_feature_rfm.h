// An RFM whose kernel machine is ridge regression on random features: for rows so many that no n x n array fits.
#pragma once

#include <functional>
#include <vector>

#include "rfm/random_features/random_feature_fit.h"
#include "rfm/rfm.h"

namespace ansatz::rfm {

template <class Scalar>
struct RandomFeatureRfmTrace {
  std::vector<RfmIteration> iterations;                 ///< 0..T
  std::vector<FeatureMatrix<Scalar>> feature_matrices;  ///< M_0..M_T
  std::vector<RandomFeatureMachine<Scalar>> machines;   ///< one an iteration
  Index reported = 0;                                   ///< best on validation (ties: later), or the last
  const RandomFeatureMachine<Scalar>& machine() const { return machines[static_cast<std::size_t>(reported)]; }
  const RfmIteration& iteration() const { return iterations[static_cast<std::size_t>(reported)]; }
};

/// fit_rfm() on features of M_t^1/2 x, drawn anew at each iteration t from the stream "random_features/<t>": D fixed,
/// 2 n D^2 flops an iteration and O(D^2 + d^2) numbers at a time beside the rows. It approaches fit_rfm() as D grows
/// (at a rate of 1/sqrt(D) in the kernel) for kernels that have second derivatives at x = z; the AGOPs of others leave
/// out the longest frequencies (kGradientShare). Of `options`, of the solver only the ridge is used, and `form` not.
/// Throws what fit_rfm() and RandomFeatures throw.
template <class Scalar>
RandomFeatureRfmTrace<Scalar> fit_random_feature_rfm(const Split<Scalar>& split, const RfmOptions& options,
                                                     const RandomFeatureOptions& features, const RandomStream& stream);

}  // namespace ansatz::rfm
