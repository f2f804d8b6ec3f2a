#include "rfm/kernels/network_kernels.h"

#include "rfm/kernels/biased_relu.h"
#include "rfm/kernels/erf_network.h"

namespace ansatz::rfm {
namespace {

/// w^2 / 2, which a layer of a ReLU network multiplies variances by; exactly 1 for the default w, whose square is
/// rounded.
double relu_gain(const KernelSpec& spec) {
  const double gain = spec.weight_std * spec.weight_std / 2;
  return std::abs(gain - 1) < 1e-15 ? 1 : gain;
}

double square(double value) { return value * value; }

/// Without biases all layers have one gain, which leaves the cosines alone.
template <class T>
T cosine_recursion(const KernelSpec& spec, const DotProducts<T>& in, bool slopes, ArcCosineState<T>& state) {
  start_recursion(in.cosine, in.complement, in.count, state);
  for (Index layer = 0; layer < spec.depth; ++layer) advance_layer(state, in.count, slopes);
  return static_cast<T>(std::pow(relu_gain(spec), static_cast<double>(spec.depth)));
}

template <class T>
void biased_recursion(const KernelSpec& spec, const DotProducts<T>& in, bool slopes, BiasedReluState<T>& state) {
  start_recursion(in, state);
  const T gain = static_cast<T>(relu_gain(spec)), offset = static_cast<T>(square(spec.bias_std));
  for (Index layer = 0; layer < spec.depth; ++layer) advance_layer(state, gain, offset, in.count, slopes);
}

template <class T>
void erf_recursion(const KernelSpec& spec, const DotProducts<T>& in, ErfNetworkState& state) {
  start_recursion(in, state);
  for (Index layer = 0; layer < spec.depth; ++layer)
    advance_layer(state, square(spec.weight_std), square(spec.bias_std), in.count);
}

/// K = slope s + constant.
struct LinearKernel {
  double slope, constant;
};

LinearKernel linear_kernel(const KernelSpec& spec, bool tangent) {
  const double gain = square(spec.weight_std), offset = square(spec.bias_std);
  LinearKernel sigma{1, 0}, theta{1, 0};
  for (Index layer = 0; layer < spec.depth; ++layer) {
    sigma = {gain * sigma.slope, gain * sigma.constant + offset};
    theta = {sigma.slope + gain * theta.slope, sigma.constant + gain * theta.constant};
  }
  return tangent ? theta : sigma;
}

/// As the cosine goes to +-1, the limit of the NTK's gradient depends on the direction: its singular part is dropped,
/// which leaves the mean over directions.
template <class T>
void cosine_weights(const KernelSpec& spec, bool tangent, const DotProducts<T>& in, T* a, T* d) {
  ArcCosineState<T> state;
  const T scale = cosine_recursion(spec, in, true, state);
  const T* value = tangent ? state.theta : state.sigma;
  const T* slope = tangent ? state.theta_slope : state.sigma_slope;
  for (Index j = 0; j < in.count; ++j) {
    const bool both = in.norm_product(j) > 0;
    const T rest = value[j] - in.cosine[j] * slope[j];
    a[j] = both ? scale * slope[j] : T(0);
    d[j] = both ? scale * rest : T(0);
  }
}

/// From the derivatives by s and |x| of a state that has them.
template <class T, class State>
void state_weights(const State& state, bool tangent, const DotProducts<T>& in, T* a, T* d) {
  const auto* by_product = tangent ? state.theta_by_product : state.sigma_by_product;
  const auto* by_length = tangent ? state.theta_by_length : state.sigma_by_length;
  for (Index j = 0; j < in.count; ++j) {
    a[j] = static_cast<T>(by_product[j]);
    d[j] = static_cast<T>(by_length[j]) / gradient_length(in.norms[j]);
  }
}

}  // namespace

template <class T>
void network_values(const KernelSpec& spec, bool tangent, const DotProducts<T>& in, T* k) {
  if (spec.activation == Activation::linear) {
    const LinearKernel line = linear_kernel(spec, tangent);
    const T slope = static_cast<T>(line.slope), constant = static_cast<T>(line.constant);
    for (Index j = 0; j < in.count; ++j) k[j] = slope * (in.norm_product(j) * in.cosine[j]) + constant;
  } else if (spec.activation == Activation::erf) {
    ErfNetworkState state;
    erf_recursion(spec, in, state);
    const double* value = tangent ? state.theta : state.sigma;
    for (Index j = 0; j < in.count; ++j) k[j] = static_cast<T>(value[j]);
  } else if (spec.bias_std > 0) {
    BiasedReluState<T> state;
    biased_recursion(spec, in, false, state);
    const T* value = tangent ? state.theta : state.sigma;
    for (Index j = 0; j < in.count; ++j) k[j] = state.x_std * state.z_std[j] * value[j];
  } else {
    ArcCosineState<T> state;
    const T scale = cosine_recursion(spec, in, false, state);
    const T* value = tangent ? state.theta : state.sigma;
    for (Index j = 0; j < in.count; ++j) k[j] = scale * (in.norm_product(j) * value[j]);
  }
}

template <class T>
void network_weights(const KernelSpec& spec, bool tangent, const DotProducts<T>& in, T* a, T* d) {
  if (spec.activation == Activation::linear) {
    std::fill(a, a + in.count, static_cast<T>(linear_kernel(spec, tangent).slope));
    std::fill(d, d + in.count, T(0));
  } else if (spec.activation == Activation::erf) {
    ErfNetworkState state;
    erf_recursion(spec, in, state);
    state_weights(state, tangent, in, a, d);
  } else if (spec.bias_std > 0) {
    BiasedReluState<T> state;
    biased_recursion(spec, in, true, state);
    state_weights(state, tangent, in, a, d);
  } else {
    cosine_weights(spec, tangent, in, a, d);
  }
}

bool depends_on_norm_product(const KernelSpec& spec) {
  return spec.activation == Activation::linear || (spec.activation == Activation::relu && spec.bias_std == 0);
}

double default_weight_std(const KernelSpec& spec) { return info_of(spec.activation).weight_std; }

template void network_values(const KernelSpec&, bool, const DotProducts<float>&, float*);
template void network_values(const KernelSpec&, bool, const DotProducts<double>&, double*);
template void network_weights(const KernelSpec&, bool, const DotProducts<float>&, float*, float*);
template void network_weights(const KernelSpec&, bool, const DotProducts<double>&, double*, double*);

}  // namespace ansatz::rfm
