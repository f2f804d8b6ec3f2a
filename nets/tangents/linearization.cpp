#include "nets/tangents/linearization.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "nets/mlp_impl.h"
#include "nets/tensors.h"
#include "nets/training/backpropagation.h"

namespace ansatz::nets {
namespace {

using detail::Layer;
using detail::Stack;

void check_size(Index found, Index expected, const char* what) {
  if (found != expected)
    throw DataError("network linearization: found " + std::to_string(found) + " " + what + ", the network has " +
                    std::to_string(expected));
}

/// Calls body(first row, count) over tiles of that many rows.
template <class Body>
void for_each_tile(const Stack& stack, Index rows, Body&& body) {
  const Index tile = detail::tile_rows(stack, 2);
  for (Index begin = 0; begin < rows; begin += tile) body(begin, std::min(tile, rows - begin));
}

/// The derivative of the outputs at x, all on the stack's device, when each layer moves along that of `moves`.
at::Tensor moved_outputs(const Stack& stack, const std::vector<Layer>& moves, const at::Tensor& x) {
  const ActivationInfo& activation = info_of(stack.activation);
  at::Tensor h = x, moved;  // and how h moves; the inputs do not
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    const Layer &layer = stack.layers[l], &move = moves[l];
    at::Tensor dz = h.mm(move.weight.t()).mul_(layer.weight_multiplier);
    if (moved.defined()) dz.addmm_(moved, layer.weight.t(), 1, layer.weight_multiplier);
    if (move.bias.defined()) dz.add_(move.bias, layer.bias_multiplier);
    moved = dz;
    if (l + 1 == stack.layers.size()) break;
    at::Tensor z = at::empty({x.size(0), layer.weight.size(0)}, x.options());
    pre_activation(layer, h, z);
    moved.mul_(activation.derivative(z));
    activation.apply(z);
    h = z;
  }
  return moved;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> derivative_along(const Mlp<Scalar>& network, const MatrixView<Scalar>& x,
                                const Parameters<Scalar>& direction) {
  const Stack& stack = network.impl().stack;
  check_size(x.cols(), stack.inputs(), "columns of inputs");
  const Mlp<Scalar> moves = with_parameters(network, direction);  // also checks its shapes
  Matrix<Scalar> result(x.rows(), stack.outputs());
  detail::at_border("network linearization", [&] {
    const at::Tensor inputs = detail::view_of<Scalar>(x);
    at::Tensor outputs = detail::writable_view_of<Scalar>(result);
    for_each_tile(stack, x.rows(), [&](Index begin, Index count) {
      const at::Tensor rows = inputs.narrow(0, begin, count).to(stack.device());
      outputs.narrow(0, begin, count).copy_(moved_outputs(stack, moves.impl().stack.layers, rows));
    });
  });
  return result;
}

template <class Scalar>
Parameters<Scalar> pulled_back(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, const MatrixView<Scalar>& a) {
  const Stack& stack = network.impl().stack;
  check_size(x.cols(), stack.inputs(), "columns of inputs");
  check_size(a.cols(), stack.outputs(), "columns of outputs");
  if (a.rows() != x.rows())
    throw DataError("network linearization: " + std::to_string(x.rows()) + " rows of inputs, but " +
                    std::to_string(a.rows()) + " of outputs");
  return detail::at_border("network linearization", [&] {
    auto gradient = network.impl().copy_to(stack.device());
    for (const at::Tensor& parameter : gradient->stack.parameters()) parameter.zero_();
    const at::Tensor inputs = detail::view_of<Scalar>(x), weights = detail::view_of<Scalar>(a);
    detail::Backpropagation backpropagation(stack, std::min(x.rows(), detail::tile_rows(stack, 2)));
    const auto add = [&](std::size_t l, const at::Tensor& g, const at::Tensor& h) {
      Layer& into = gradient->stack.layers[l];
      into.weight.addmm_(g.t(), h, 1, into.weight_multiplier);
      if (into.bias.defined()) into.bias.add_(g.sum(0), into.bias_multiplier);
    };
    for_each_tile(stack, x.rows(), [&](Index begin, Index count) {
      const auto rows = [&](const at::Tensor& all) { return all.narrow(0, begin, count).to(stack.device()); };
      backpropagation.run(
          stack, rows(inputs), [&](const at::Tensor&, at::Tensor& g) { g.copy_(rows(weights)); }, add);
    });
    return parameters(Mlp<Scalar>(std::move(gradient)));
  });
}

template <class Scalar>
Matrix<Scalar> linearized_outputs(const Mlp<Scalar>& start, const MatrixView<Scalar>& x,
                                  const Parameters<Scalar>& step) {
  return start.predict(x) + derivative_along(start, x, step);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                    \
  template Matrix<Scalar> derivative_along(const Mlp<Scalar>&, const MatrixView<Scalar>&, const Parameters<Scalar>&); \
  template Parameters<Scalar> pulled_back(const Mlp<Scalar>&, const MatrixView<Scalar>&, const MatrixView<Scalar>&);  \
  template Matrix<Scalar> linearized_outputs(const Mlp<Scalar>&, const MatrixView<Scalar>&, const Parameters<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::nets
