#include "rfm/kernels/arc_cosine.h"

#include <array>
#include <cmath>

namespace ansatz::rfm {
namespace {

constexpr double kPi = 3.14159265358979323846;

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

/// One layer of the recursion for one pair, written so that the loop over pairs vectorises.
template <class Scalar, bool Slopes>
inline void advance(const HalfAngle<Scalar>& half_angle, Scalar& sigma, Scalar& complement, Scalar& theta,
                    Scalar& sigma_slope, Scalar& theta_slope) {
  const Scalar inverse_pi = static_cast<Scalar>(1 / kPi), half = Scalar(0.5);
  const Scalar u = sigma, w = complement;
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
  if (Slopes) {
    const Scalar quotient = inverse_pi / (sine > 0 ? sine : Scalar(1));
    const Scalar kappa0_slope = sine > 0 ? quotient : Scalar(0);
    const Scalar next_slope = kappa0 * sigma_slope;
    theta_slope = theta_slope * kappa0 + theta * kappa0_slope * sigma_slope + next_slope;
    sigma_slope = next_slope;
  }
  theta = theta * kappa0 + kappa1;
  sigma = kappa1;
  complement = next < 0 ? Scalar(0) : next;
}

template <class Scalar, bool Slopes>
void advance_all(ArcCosineState<Scalar>& s, Index count) {
  static const HalfAngle<Scalar> half_angle;
  const HalfAngle<Scalar> local = half_angle;
  for (Index j = 0; j < count; ++j)
    advance<Scalar, Slopes>(local, s.sigma[j], s.complement[j], s.theta[j], s.sigma_slope[j], s.theta_slope[j]);
}

}  // namespace

template <class Scalar>
void start_recursion(const Scalar* cosine, const Scalar* complement, Index count, ArcCosineState<Scalar>& state) {
  for (Index j = 0; j < count; ++j) {
    state.sigma[j] = cosine[j];
    state.complement[j] = complement[j];
    state.theta[j] = cosine[j];
    state.sigma_slope[j] = 1;
    state.theta_slope[j] = 1;
  }
}

template <class Scalar>
void advance_layer(ArcCosineState<Scalar>& state, Index count, bool slopes) {
  if (slopes)
    advance_all<Scalar, true>(state, count);
  else
    advance_all<Scalar, false>(state, count);
}

template struct ArcCosineState<float>;
template struct ArcCosineState<double>;
template void start_recursion(const float*, const float*, Index, ArcCosineState<float>&);
template void start_recursion(const double*, const double*, Index, ArcCosineState<double>&);
template void advance_layer(ArcCosineState<float>&, Index, bool);
template void advance_layer(ArcCosineState<double>&, Index, bool);

}  // namespace ansatz::rfm
