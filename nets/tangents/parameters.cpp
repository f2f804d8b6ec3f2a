#include "nets/tangents/parameters.h"

#include <cmath>

#include "core/base/error.h"
#include "nets/mlp_impl.h"
#include "nets/tensors.h"

namespace ansatz::nets {
namespace {

template <class Scalar>
void check_same_shapes(const Parameters<Scalar>& p, const Parameters<Scalar>& q) {
  bool same = p.size() == q.size();
  for (std::size_t l = 0; same && l < p.size(); ++l)
    same = p[l].weight.rows() == q[l].weight.rows() && p[l].weight.cols() == q[l].weight.cols() &&
           p[l].bias.size() == q[l].bias.size();
  if (!same) throw DataError("network parameters: two sets are of networks of different architectures");
}

}  // namespace

template <class Scalar>
Parameters<Scalar> parameters(const Mlp<Scalar>& network) {
  return detail::at_border("reading parameters", [&] {
    Parameters<Scalar> all;
    for (const detail::Layer& layer : network.impl().stack.layers)
      all.push_back({detail::to_matrix<Scalar>(layer.weight),
                     layer.bias.defined() ? detail::to_vector<Scalar>(layer.bias) : Vector<Scalar>()});
    return all;
  });
}

template <class Scalar>
Mlp<Scalar> with_parameters(const Mlp<Scalar>& network, const Parameters<Scalar>& parameters) {
  check_same_shapes(parameters, nets::parameters(network));
  return detail::at_border("making the network", [&] {
    const at::Device device = network.impl().stack.device();
    auto impl = network.impl().copy_to(device);
    for (std::size_t l = 0; l < parameters.size(); ++l) {
      detail::Layer& layer = impl->stack.layers[l];
      layer.weight = detail::to_tensor<Scalar>(parameters[l].weight, device);
      if (layer.bias.defined())
        layer.bias = detail::to_tensor<Scalar>(Matrix<Scalar>(parameters[l].bias), device).view({-1});
    }
    return Mlp<Scalar>(std::move(impl));
  });
}

template <class Scalar>
Parameters<Scalar> plus(Parameters<Scalar> p, const Parameters<Scalar>& q, double factor) {
  check_same_shapes(p, q);
  for (std::size_t l = 0; l < p.size(); ++l) {
    p[l].weight += static_cast<Scalar>(factor) * q[l].weight;
    p[l].bias += static_cast<Scalar>(factor) * q[l].bias;
  }
  return p;
}

template <class Scalar>
double length(const Parameters<Scalar>& p) {
  double squares = 0;
  for (const LinearLayer<Scalar>& layer : p)
    squares += layer.weight.template cast<double>().squaredNorm() + layer.bias.template cast<double>().squaredNorm();
  return std::sqrt(squares);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                         \
  template Parameters<Scalar> parameters(const Mlp<Scalar>&);                              \
  template Mlp<Scalar> with_parameters(const Mlp<Scalar>&, const Parameters<Scalar>&);     \
  template Parameters<Scalar> plus(Parameters<Scalar>, const Parameters<Scalar>&, double); \
  template double length(const Parameters<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::nets
