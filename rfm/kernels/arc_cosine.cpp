#include "rfm/kernels/arc_cosine.h"

#include "rfm/kernels/arc_cosine_layer.h"

namespace ansatz::rfm {
namespace {

template <class Scalar, bool Slopes>
inline void advance(const HalfAngle<Scalar>& half_angle, Scalar& sigma, Scalar& complement, Scalar& theta,
                    Scalar& sigma_slope, Scalar& theta_slope) {
  const ArcCosines<Scalar> f = arc_cosines(half_angle, sigma, complement);
  if (Slopes) {
    const Scalar bend = kappa0_slope(f.sine);
    const Scalar next_slope = f.kappa0 * sigma_slope;
    theta_slope = theta_slope * f.kappa0 + theta * bend * sigma_slope + next_slope;
    sigma_slope = next_slope;
  }
  theta = theta * f.kappa0 + f.kappa1;
  sigma = f.kappa1;
  complement = f.complement;
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
