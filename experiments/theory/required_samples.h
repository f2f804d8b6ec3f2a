// How many samples a kernel needs, with and without the expected gradient outer product, in more and more dimensions
// (Proposition 2).
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/data/loading/load_dataset.h"
#include "experiments/theory/limit_curves.h"

namespace ansatz::experiments {

struct RequiredSamplesOptions {
  LowRankOptions target;  ///< a polynomial of few directions; its dimension is taken from `dimensions`
  Index degree = 2;       ///< of the polynomial kernel (<x, z>_M + 1)^degree
  double ridge = 1e-6;
  double epsilon = 0.1;  ///< 1 - R^2 on test that has to be reached
  std::vector<Index> dimensions = {10, 20, 40};
  Index test_size = 2000;
  Index repeats = 3;
};

/// n(epsilon) of one kernel: the fewest of a draw's first rows with which 1 - R^2 on test is at most epsilon.
struct RequiredSamples {
  std::vector<MeanOfTrials> samples;  ///< at each dimension, over the repeats
  MeanOfTrials growth;                ///< slope of log n(epsilon) over log d, over the repeats
};

/// The same kernel on the same rows with M = E[grad f grad f^T] and with M = I, both of trace d.
struct RequiredSamplesOfBoth {
  RequiredSamples known, without;
};

/// The number is found by doubling and halving, for which the error has to fall with n. Throws NumericalError if four
/// times as many rows as the kernel has monomials do not suffice (a target that it cannot represent).
RequiredSamplesOfBoth required_samples(const RequiredSamplesOptions& options, const RandomStream& stream);

/// Monomials of at most that degree in d variables: the dimension of the polynomial kernel's space, (d + p choose p).
double monomials(Index dimension, Index degree);

}  // namespace ansatz::experiments
