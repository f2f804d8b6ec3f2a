#include "rfm/kernels/biased_relu.h"

#include <cmath>
#include <limits>

#include "rfm/kernels/arc_cosine_layer.h"

namespace ansatz::rfm {
namespace {

/// Sigma' = gain x_std z_std kappa_1(u) + offset and Theta' = Sigma' + gain kappa_0(u) Theta, differentiated.
template <class Scalar>
[[gnu::always_inline]] inline void advance_slopes(BiasedReluState<Scalar>& s, Index j, const ArcCosines<Scalar>& f,
                                                  Scalar gain) {
  const Scalar reach = s.z_std[j] * s.x_std_slope;
  const Scalar by_product = s.sigma_by_product[j], by_length = s.sigma_by_length[j];
  const Scalar bend = s.theta[j] * kappa0_slope(f.sine);  // Theta d kappa_0 / du over x_std z_std
  s.sigma_by_product[j] = gain * f.kappa0 * by_product;
  s.sigma_by_length[j] = gain * (f.kappa0 * by_length + reach * f.sine * static_cast<Scalar>(1 / kPi));
  s.theta_by_product[j] = s.sigma_by_product[j] + gain * (f.kappa0 * s.theta_by_product[j] + bend * by_product);
  s.theta_by_length[j] =
      s.sigma_by_length[j] + gain * (f.kappa0 * s.theta_by_length[j] + bend * (by_length - s.sigma[j] * reach));
}

/// With a, b the standard deviations of x and z, and a', b' the next ones:
///   a' b' - (gain a b + offset) = gain offset (a - b)^2 / (a' b' + gain a b + offset),
/// so that 1 - u' is a sum of terms that are not negative, and a' - b' = gain (a - b)(a + b) / (a' + b').
template <class Scalar, bool Slopes>
void advance_all(BiasedReluState<Scalar>& s, Scalar gain, Scalar offset, Index count) {
  static const HalfAngle<Scalar> half_angle;
  const HalfAngle<Scalar> local = half_angle;
  const Scalar a = s.x_std, next_a = std::sqrt(gain * a * a + offset);
  for (Index j = 0; j < count; ++j) {
    const ArcCosines<Scalar> f = arc_cosines(local, s.sigma[j], s.complement[j]);
    if (Slopes) advance_slopes(s, j, f, gain);
    const Scalar b = s.z_std[j], next_b = std::sqrt(gain * b * b + offset);
    const Scalar scale = gain * a * b, next_scale = next_a * next_b, gap = s.difference[j];
    s.theta[j] = (scale * (s.theta[j] * f.kappa0 + f.kappa1) + offset) / next_scale;
    s.sigma[j] = (scale * f.kappa1 + offset) / next_scale;
    s.complement[j] =
        (scale * f.complement + gain * offset * gap * gap / (2 * (next_scale + scale + offset))) / next_scale;
    s.difference[j] = gain * gap * (a + b) / (next_a + next_b);
    s.z_std[j] = next_b;
  }
  s.x_std_slope *= gain * a / next_a;
  s.x_std = next_a;
}

}  // namespace

template <class Scalar>
void start_recursion(const DotProducts<Scalar>& in, BiasedReluState<Scalar>& s) {
  s.x_std = in.norm;
  s.x_std_slope = 1;
  // Equal points whose lengths were summed in another order are equal: the NTK has a kink there.
  const Scalar rounding = 16 * std::numeric_limits<Scalar>::epsilon() * in.norm;
  for (Index j = 0; j < in.count; ++j) {
    const Scalar difference = in.norm - in.norms[j];
    s.z_std[j] = in.norms[j];
    s.difference[j] = std::abs(difference) > rounding ? difference : Scalar(0);
    s.sigma[j] = s.theta[j] = in.cosine[j];
    s.complement[j] = in.complement[j];
    s.sigma_by_product[j] = s.theta_by_product[j] = in.norm_product(j) > 0 ? Scalar(1) : Scalar(0);
    s.sigma_by_length[j] = s.theta_by_length[j] = 0;
  }
}

template <class Scalar>
void advance_layer(BiasedReluState<Scalar>& state, Scalar gain, Scalar offset, Index count, bool slopes) {
  if (slopes)
    advance_all<Scalar, true>(state, gain, offset, count);
  else
    advance_all<Scalar, false>(state, gain, offset, count);
}

template void start_recursion(const DotProducts<float>&, BiasedReluState<float>&);
template void start_recursion(const DotProducts<double>&, BiasedReluState<double>&);
template void advance_layer(BiasedReluState<float>&, float, float, Index, bool);
template void advance_layer(BiasedReluState<double>&, double, double, Index, bool);

}  // namespace ansatz::rfm
