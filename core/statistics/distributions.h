// The distributions that tests and intervals need.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

double normal_cdf(double x);

/// P(T <= t) of Student's t with `freedom` > 0 degrees of freedom, through the incomplete beta function.
double student_t_cdf(double t, double freedom);
/// The t with P(T <= t) = p, 0 < p < 1.
double student_t_quantile(double p, double freedom);

/// P(X > x) of chi-squared with `freedom` > 0 degrees of freedom, through the incomplete gamma function.
double chi_squared_tail(double x, double freedom);
/// P(X > x) of Fisher's F with `freedom` and `residual_freedom` degrees of freedom, both > 0; x may be infinite.
double f_tail(double x, double freedom, double residual_freedom);

/// P(R <= r) of the range R of k >= 2 independent standard normals: k times the integral over x of phi(x) (Phi(x) -
/// Phi(x - r))^(k-1). That is the studentised range with infinitely many degrees of freedom.
double normal_range_cdf(double r, Index k);
/// The r with P(R <= r) = p, 0 < p < 1.
double normal_range_quantile(double p, Index k);

}  // namespace ansatz
