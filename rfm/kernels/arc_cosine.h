// The arc-cosine recursion of the NNGP and the NTK (docs/engine.md) on chunks, accurate where the cosine nears +-1.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// The state of one layer for some pairs, at most kCapacity, advanced in place. sigma = Sigma/(|x||z|) and
/// theta = Theta/(|x||z|).
template <class Scalar>
struct ArcCosineState {
  static constexpr Index kCapacity = 512;
  Scalar sigma[kCapacity];        ///< cosine
  Scalar complement[kCapacity];   ///< (1 - |cosine|) / 2, to full relative accuracy
  Scalar theta[kCapacity];        ///< NTK
  Scalar sigma_slope[kCapacity];  ///< d sigma / du
  Scalar theta_slope[kCapacity];  ///< d theta / du; the term with kappa_0'(+-1) = inf counts as 0
};

/// Starts from the cosines and their complements (1 - |cosine|) / 2, `count` of each: theta = sigma, slopes 1.
template <class Scalar>
void start_recursion(const Scalar* cosine, const Scalar* complement, Index count, ArcCosineState<Scalar>& state);

/// sigma <- kappa_1(sigma), theta <- theta kappa_0(sigma) + kappa_1(sigma). With `slopes`, their derivatives too.
template <class Scalar>
void advance_layer(ArcCosineState<Scalar>& state, Index count, bool slopes);

}  // namespace ansatz::rfm
