// One layer of a ReLU network for one pair of inputs, written so that a loop over pairs vectorises.
#pragma once

#include <array>
#include <cmath>

#include "core/base/matrix.h"

namespace ansatz::rfm {

inline constexpr double kPi = 3.14159265358979323846;

/// arcsin(sqrt(w)) / sqrt(w) on [0, 1/2] as a polynomial in t = 4w - 1: Chebyshev interpolation, whose error falls as
/// 5.8^-degree since the nearest singularity is at w = 1.
template <class Scalar>
struct HalfAngle {
  static constexpr int kDegree = sizeof(Scalar) == 4 ? 9 : 21;
  std::array<Scalar, kDegree + 1> coefficients;  // of powers of t

  HalfAngle() {
    constexpr int n = kDegree + 1;
    std::array<long double, n> samples, chebyshev{}, power{}, previous{}, current{};
    for (int i = 0; i < n; ++i) {
      const long double w = (std::cos(static_cast<long double>(kPi) * (i + 0.5L) / n) + 1) / 4;
      samples[i] = std::asin(std::sqrt(w)) / std::sqrt(w);
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i)
        chebyshev[k] += samples[i] * std::cos(static_cast<long double>(kPi) * k * (i + 0.5L) / n);
      chebyshev[k] *= (k == 0 ? 1.0L : 2.0L) / n;
    }
    previous[0] = 1;  // T_0
    current[1] = 1;   // T_1
    power[0] = chebyshev[0];
    for (int k = 1; k < n; ++k) {
      for (int j = 0; j < n; ++j) power[j] += chebyshev[k] * current[j];
      std::array<long double, n> next{};
      for (int j = 0; j < n; ++j) next[j] = (j > 0 ? 2 * current[j - 1] : 0) - previous[j];
      previous = current;
      current = next;
    }
    for (int j = 0; j < n; ++j) coefficients[j] = static_cast<Scalar>(power[j]);
  }

  template <int Power = 0>
  Scalar horner(Scalar t) const {
    if constexpr (Power == kDegree) {
      return coefficients[Power];
    } else {
      return horner<Power + 1>(t) * t + coefficients[Power];
    }
  }
};

/// The arc-cosine functions of the cosine u, whose complement w = (1 - |u|) / 2 has full relative accuracy.
template <class Scalar>
struct ArcCosines {
  Scalar kappa0, kappa1;
  Scalar sine;        ///< sqrt(1 - u^2)
  Scalar complement;  ///< (1 - kappa1) / 2, to full relative accuracy
};

template <class Scalar>
[[gnu::always_inline]] inline ArcCosines<Scalar> arc_cosines(const HalfAngle<Scalar>& half_angle, Scalar u, Scalar w) {
  const Scalar inverse_pi = static_cast<Scalar>(1 / kPi), half = Scalar(0.5);
  // The angle whose cosine is |u|, divided by pi: 2 arcsin(sqrt(w)) / pi. From it follows that of u itself.
  const Scalar acute = 2 * inverse_pi * std::sqrt(w) * half_angle.horner(4 * w - 1);
  const Scalar kappa0 = half + std::copysign(half - acute, u);
  const Scalar sine = 2 * std::sqrt(w * (1 - w));
  const Scalar kappa1 = u * kappa0 + sine * inverse_pi;
  // (1 - kappa_1)/2 = (1 - u)/2 - (sin a - a cos a)/(2 pi), a the angle: no cancellation as a -> 0.
  const Scalar away = u < 0 ? 1 - w : w;
  const Scalar angle = 1 - kappa0;  // over pi
  const Scalar small_angle = u < 0 ? angle : acute;
  const Scalar next = away - half * (sine * inverse_pi - small_angle * u);
  return {kappa0, kappa1, sine, next < 0 ? Scalar(0) : next};
}

/// d kappa_0 / du, which is infinite at u = +-1: there it counts as 0.
template <class Scalar>
[[gnu::always_inline]] inline Scalar kappa0_slope(Scalar sine) {
  const Scalar quotient = static_cast<Scalar>(1 / kPi) / (sine > 0 ? sine : Scalar(1));
  return sine > 0 ? quotient : Scalar(0);
}

}  // namespace ansatz::rfm
