// Random numbers of the laws of which spectral densities are made.
#pragma once

#include "core/base/random.h"

namespace ansatz::rfm {

/// S > 0 with E exp(-t S) = exp(-t^a) for t >= 0, 0 < a <= 1 (a = 1: always 1). By Kanter's formula.
double positive_stable(double a, RandomStream& stream);

/// X with E exp(i t X) = exp(-|t|^a), 0 < a <= 2: Cauchy for a = 1, normal of variance 2 for a = 2. By the formula of
/// Chambers, Mallows and Stuck.
double symmetric_stable(double a, RandomStream& stream);

/// The gamma law of that shape > 0 and scale 1. By Marsaglia and Tsang's rejection.
double standard_gamma(double shape, RandomStream& stream);

/// The law of density exp(-|x|) / 2, named after Laplace: E exp(i t X) = 1 / (1 + t^2).
double double_exponential(RandomStream& stream);

}  // namespace ansatz::rfm
