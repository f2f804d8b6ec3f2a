// The inverse of the standard normal distribution function.
#pragma once

namespace ansatz {

/// x with P(Z <= x) = p for a standard normal Z, to 15 digits (Wichura's algorithm AS 241, PPND16). p in (0, 1);
/// infinite at 0 and 1, NaN beyond.
double normal_quantile(double p);

}  // namespace ansatz
