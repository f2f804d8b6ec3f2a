#include "core/statistics/distributions.h"

#include <cmath>

namespace ansatz {
namespace {

/// The continued fraction of the incomplete beta function by Lentz's method; converges fast for x < (a + 1)/(a + b +
/// 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto kept_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / kept_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double step = 1;
    for (const double term : {even, odd}) {
      d = 1 / kept_from_zero(1 + term * d);
      c = kept_from_zero(1 + term / c);
      step = c * d;
      fraction *= step;
    }
    if (std::abs(step - 1) < 1e-16) break;
  }
  return fraction;
}

/// I_x(a, b), regularised.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/// 1 - P(a, x), regularised: 1 less the series for x < a + 1, beyond that the continued fraction by Lentz's method.
double upper_incomplete_gamma(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  constexpr int kMost = 10'000;
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMost && term > 1e-17 * sum; ++n) sum += term *= x / (a + n);
    return 1 - front * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, fraction = d;
  for (int n = 1; n < kMost; ++n) {
    const double factor = n * (a - n);
    b += 2;
    d = 1 / (b + factor * d);
    c = b + factor / c;
    fraction *= c * d;
    if (std::abs(c * d - 1) < 1e-16) break;
  }
  return front * fraction;
}

/// Where the increasing `cdf` reaches p, between `low` and a `high` that is doubled until it is beyond.
template <class Cdf>
double inverse(const Cdf& cdf, double p, double low, double high) {
  while (cdf(high) < p) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (cdf(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double normal_cdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

double student_t_cdf(double t, double freedom) {
  const double tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double p, double freedom) {
  if (p == 0.5) return 0;
  if (p < 0.5) return -student_t_quantile(1 - p, freedom);
  return inverse([&](double t) { return student_t_cdf(t, freedom); }, p, 0, 1);
}

double chi_squared_tail(double x, double freedom) { return upper_incomplete_gamma(freedom / 2, x / 2); }

double f_tail(double x, double freedom, double residual_freedom) {
  if (std::isinf(x)) return 0;
  return incomplete_beta(residual_freedom / 2, freedom / 2, residual_freedom / (residual_freedom + freedom * x));
}

double normal_range_cdf(double r, Index k) {
  if (r <= 0) return 0;
  // The trapezoidal rule, which converges faster than any power for such a function; phi is below 1e-17 at the ends.
  constexpr double end = 9, step = 1.0 / 32;
  const double root = std::sqrt(2 * std::acos(-1.0)), power = static_cast<double>(k - 1);
  double sum = 0;
  for (double x = -end; x <= end; x += step)
    sum += std::exp(-x * x / 2) / root * std::pow(normal_cdf(x) - normal_cdf(x - r), power);
  return static_cast<double>(k) * sum * step;
}

double normal_range_quantile(double p, Index k) {
  return inverse([&](double r) { return normal_range_cdf(r, k); }, p, 0, 1);
}

}  // namespace ansatz
