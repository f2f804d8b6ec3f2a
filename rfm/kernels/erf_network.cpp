#include "rfm/kernels/erf_network.h"

#include <algorithm>

namespace ansatz::rfm {
namespace {

constexpr double kTwoOverPi = 0.63661977236758134308;

/// asin(2 q / (1 + 2 q)), without the loss of digits of an arcsine near 1.
double own_angle(double q) { return std::atan(q * (2 / std::sqrt(1 + 4 * q))); }

/// Of the expectations E = E[erf(u) erf(v)] and F = E[erf'(u) erf'(v)] for covariances S, Q = Sigma(x,x), P.
struct Expectations {
  double e, f;
  double e_by_q, f_by_s, f_by_q;  // and dE/dS = F
};

Expectations expectations(double s, double q, double p, double determinant) {
  const double a = 1 + 2 * q, b = 1 + 2 * p, root = std::sqrt(a) * std::sqrt(b), cosine = 2 * s / root;
  const double rest = (1 + 2 * p / a) / b + determinant, sine = std::sqrt(rest);  // 1 - cosine^2, as a sum
  Expectations result;
  result.e = kTwoOverPi * std::atan2(cosine, sine);
  result.f = 2 * kTwoOverPi / (root * sine);
  result.e_by_q = -result.f * s / a;
  result.f_by_s = result.f * 2 * cosine / (root * rest);
  result.f_by_q = -result.f / (a * rest);
  return result;
}

}  // namespace

template <class Scalar>
void start_recursion(const DotProducts<Scalar>& in, ErfNetworkState& state) {
  const double length = static_cast<double>(in.norm), a = 1 + 2 * length * length;
  state.x_variance = length * length;
  state.x_variance_slope = 2 * length;
  for (Index j = 0; j < in.count; ++j) {
    const double other = static_cast<double>(in.norms[j]), w = static_cast<double>(in.complement[j]);
    const double p = other * other;
    state.z_variance[j] = p;
    state.sigma[j] = state.theta[j] = length * other * static_cast<double>(in.cosine[j]);
    state.determinant[j] = 16 * (state.x_variance / a) * (p / (1 + 2 * p)) * w * (1 - w);
    state.sigma_by_product[j] = state.theta_by_product[j] = 1;
    state.sigma_by_length[j] = state.theta_by_length[j] = 0;
  }
}

void advance_layer(ErfNetworkState& state, double gain, double offset, Index count) {
  const double q = state.x_variance, a = 1 + 2 * q, q_slope = state.x_variance_slope;
  const double next_q = gain * kTwoOverPi * own_angle(q) + offset, next_a = 1 + 2 * next_q;
  for (Index j = 0; j < count; ++j) {
    const Expectations m = expectations(state.sigma[j], q, state.z_variance[j], state.determinant[j]);
    const double by_product = state.sigma_by_product[j], by_length = state.sigma_by_length[j], theta = state.theta[j];
    state.sigma_by_product[j] = gain * m.f * by_product;
    state.sigma_by_length[j] = gain * (m.f * by_length + m.e_by_q * q_slope);
    state.theta_by_product[j] =
        state.sigma_by_product[j] + gain * (m.f * state.theta_by_product[j] + theta * m.f_by_s * by_product);
    state.theta_by_length[j] = state.sigma_by_length[j] + gain * (m.f * state.theta_by_length[j] +
                                                                  theta * (m.f_by_s * by_length + m.f_by_q * q_slope));
    state.sigma[j] = gain * m.e + offset;
    state.theta[j] = state.sigma[j] + gain * m.f * theta;
    const double next_p = gain * kTwoOverPi * own_angle(state.z_variance[j]) + offset;
    const double area = next_q * next_p - state.sigma[j] * state.sigma[j];
    state.determinant[j] = 4 * std::max(0.0, area) / (next_a * (1 + 2 * next_p));
    state.z_variance[j] = next_p;
  }
  state.x_variance_slope = gain * 2 * kTwoOverPi / (a * std::sqrt(1 + 4 * q)) * q_slope;
  state.x_variance = next_q;
}

template void start_recursion(const DotProducts<float>&, ErfNetworkState&);
template void start_recursion(const DotProducts<double>&, ErfNetworkState&);

}  // namespace ansatz::rfm
