#include "rfm/random_features/random_laws.h"

#include <cmath>

namespace ansatz::rfm {
namespace {

constexpr double kPi = 3.14159265358979323846;

double open_uniform(RandomStream& stream) {
  double u = 0;
  while (u == 0) u = stream.uniform();
  return u;
}

double exponential(RandomStream& stream) { return -std::log(open_uniform(stream)); }

}  // namespace

double positive_stable(double a, RandomStream& stream) {
  if (a == 1) return 1;
  const double u = kPi * open_uniform(stream), e = exponential(stream);
  return std::sin(a * u) / std::pow(std::sin(u), 1 / a) * std::pow(std::sin((1 - a) * u) / e, (1 - a) / a);
}

double symmetric_stable(double a, RandomStream& stream) {
  if (a == 2) return std::sqrt(2.0) * stream.normal();
  const double u = kPi * (open_uniform(stream) - 0.5);
  if (a == 1) return std::tan(u);
  const double e = exponential(stream);
  return std::sin(a * u) / std::pow(std::cos(u), 1 / a) * std::pow(std::cos((1 - a) * u) / e, (1 - a) / a);
}

double standard_gamma(double shape, RandomStream& stream) {
  if (shape < 1) {
    const double u = open_uniform(stream);
    return standard_gamma(shape + 1, stream) * std::pow(u, 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = stream.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(open_uniform(stream)) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

double double_exponential(RandomStream& stream) {
  const double size = exponential(stream);
  return stream.uniform() < 0.5 ? -size : size;
}

}  // namespace ansatz::rfm
