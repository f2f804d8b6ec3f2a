#include "nets/tangents/tangent_kernel.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "nets/mlp_impl.h"
#include "nets/network_cost.h"
#include "nets/tangents/layer_factors.h"
#include "nets/tensors.h"

namespace ansatz::nets {
namespace {

using detail::LayerFactors;
using detail::Stack;
using Outputs = TangentOptions::Outputs;

constexpr Index kHeldEntries = Index{1} << 25;  // 256 MB in float64

/// What tangent_kernel is asked for, checked: layers from 0, both included.
struct Asked {
  Outputs form = Outputs::summed;
  Index output = 0;
  std::size_t first = 0, last = 0;
};

Asked checked(const TangentOptions& options, const Stack& stack) {
  const auto layers = static_cast<Index>(stack.layers.size());
  const Index last = options.last_layer == 0 ? layers : options.last_layer;
  if (options.first_layer < 1 || last > layers || options.first_layer > last)
    throw ConfigError("tangent kernel: layers " + std::to_string(options.first_layer) + " to " + std::to_string(last) +
                      ": layers count from 1 to " + std::to_string(layers));
  if (options.outputs == Outputs::one && (options.output < 0 || options.output >= stack.outputs()))
    throw ConfigError("tangent kernel: output " + std::to_string(options.output) + ": outputs count from 0 to " +
                      std::to_string(stack.outputs() - 1));
  return {options.outputs, options.output, static_cast<std::size_t>(options.first_layer - 1),
          static_cast<std::size_t>(last - 1)};
}

/// The signals in the shape whose products with one another are those of the form.
at::Tensor arranged(const at::Tensor& signals, const Asked& asked) {
  const Index b = signals.size(0), c = signals.size(1), k = signals.size(2);
  switch (asked.form) {
    case Outputs::summed:
      return signals.reshape({b, c * k});
    case Outputs::one:
      return signals.select(1, asked.output);
    case Outputs::pairs:
      break;
  }
  return signals.reshape({b * c, k});
}

/// Rows of the kernel for each point.
Index rows_a_point(Outputs form, Index outputs) { return form == Outputs::pairs ? outputs : 1; }

/// The kernel between the points of two tiles.
at::Tensor tile_kernel(const Stack& stack, const Asked& asked, const std::vector<LayerFactors>& a,
                       const std::vector<LayerFactors>& b) {
  at::Tensor sum;
  for (std::size_t l = asked.first; l <= asked.last; ++l) {
    const detail::Layer& layer = stack.layers[l];
    const LayerFactors &left = a[l - asked.first], &right = b[l - asked.first];
    at::Tensor inputs = left.inputs.mm(right.inputs.t()).mul_(layer.weight_multiplier * layer.weight_multiplier);
    if (layer.bias.defined()) inputs.add_(layer.bias_multiplier * layer.bias_multiplier);
    at::Tensor part = arranged(left.signals, asked).mm(arranged(right.signals, asked).t());
    const Index rows = inputs.size(0), columns = inputs.size(1), c = rows_a_point(asked.form, stack.outputs());
    part.view({rows, c, columns, c}).mul_(inputs.view({rows, 1, columns, 1}));
    sum = sum.defined() ? sum.add_(part) : part;
  }
  return sum;
}

/// Rows of x that pass through the network at once, and rows of z whose factors are held meanwhile.
struct TileRows {
  Index passing = 0, held = 0;
};

TileRows tile_rows(const Stack& stack, const Asked& asked) {
  Index entries = 0;
  for (std::size_t l = asked.first; l <= asked.last; ++l)
    entries += stack.layers[l].weight.size(1) + stack.outputs() * stack.layers[l].weight.size(0);
  const Index passing = detail::tile_rows(stack, stack.outputs());
  return {passing, std::max(passing, kHeldEntries / entries)};
}

void check_width(const Stack& stack, Index columns) {
  if (columns != stack.inputs())
    throw DataError("tangent kernel: the network expects inputs of " + std::to_string(stack.inputs()) +
                    " columns, found " + std::to_string(columns));
}

template <class Scalar>
class TangentKernel {
 public:
  TangentKernel(const Mlp<Scalar>& network, const TangentOptions& options)
      : stack_(network.impl().stack), asked_(checked(options, stack_)), tiles_(tile_rows(stack_, asked_)) {}

  /// Into the whole of `result`, or, where z is x, into its lower triangle and what lies beside it in the same tiles.
  void fill(const MatrixView<Scalar>& x, const MatrixView<Scalar>& z, bool lower, Matrix<Scalar>& result) const {
    at::Tensor all = detail::writable_view_of<Scalar>(result);
    const at::Tensor left = detail::view_of<Scalar>(x), right = detail::view_of<Scalar>(z);
    const Index c = rows_a_point(asked_.form, stack_.outputs());
    for (Index held = 0; held < z.rows(); held += tiles_.held) {
      const Index columns = std::min(tiles_.held, z.rows() - held);
      const std::vector<LayerFactors> factors = factors_of(right.narrow(0, held, columns));
      for (Index begin = lower ? held : 0; begin < x.rows(); begin += tiles_.passing) {
        const Index rows = std::min(tiles_.passing, x.rows() - begin);
        const Index needed = lower ? std::min(columns, begin + rows - held) : columns;
        const at::Tensor tile =
            tile_kernel(stack_, asked_, factors_of(left.narrow(0, begin, rows)), first_rows(factors, needed));
        all.narrow(0, begin * c, rows * c).narrow(1, held * c, needed * c).copy_(tile);
      }
    }
  }

  const Stack& stack() const { return stack_; }
  Index rows(Index points) const { return points * rows_a_point(asked_.form, stack_.outputs()); }

 private:
  std::vector<LayerFactors> factors_of(const at::Tensor& rows) const {
    return detail::layer_factors(stack_, rows.to(stack_.device()), asked_.first, asked_.last);
  }
  static std::vector<LayerFactors> first_rows(std::vector<LayerFactors> factors, Index count) {
    for (LayerFactors& layer : factors) layer = {layer.inputs.narrow(0, 0, count), layer.signals.narrow(0, 0, count)};
    return factors;
  }

  const Stack& stack_;
  const Asked asked_;
  const TileRows tiles_;
};

}  // namespace

template <class Scalar>
Matrix<Scalar> tangent_kernel(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, const MatrixView<Scalar>& z,
                              const TangentOptions& options) {
  const TangentKernel<Scalar> kernel(network, options);
  check_width(kernel.stack(), x.cols());
  check_width(kernel.stack(), z.cols());
  Matrix<Scalar> result(kernel.rows(x.rows()), kernel.rows(z.rows()));
  detail::at_border("network tangent kernel", [&] { kernel.fill(x, z, false, result); });
  return result;
}

template <class Scalar>
Matrix<Scalar> tangent_kernel_matrix(const Mlp<Scalar>& network, const MatrixView<Scalar>& x,
                                     const TangentOptions& options) {
  const TangentKernel<Scalar> kernel(network, options);
  check_width(kernel.stack(), x.cols());
  Matrix<Scalar> result(kernel.rows(x.rows()), kernel.rows(x.rows()));
  detail::at_border("network tangent kernel", [&] { kernel.fill(x, x, true, result); });
  result.template triangularView<Eigen::StrictlyUpper>() = result.transpose();
  return result;
}

Cost tangent_kernel_cost(const MlpOptions& network, Index inputs, Index outputs, Index rows, Index other_rows,
                         Outputs form, std::size_t scalar_bytes) {
  const auto number = [](Index value) { return static_cast<double>(value); };
  const double c = number(outputs), n = number(rows), m = number(other_rows);
  const double in_signals = form == Outputs::one ? 1 : form == Outputs::summed ? c : c * c;
  double entries = 0, products = 0;
  Index fan_in = inputs;
  std::vector<Index> widths = network.hidden_layers;
  widths.push_back(outputs);
  for (const Index width : widths) {
    entries += number(fan_in) + c * number(width);
    products += 2 * n * m * (number(fan_in) + in_signals * number(width));
    fan_in = width;
  }
  const double side = number(rows_a_point(form, outputs));
  Cost cost{"products of layers, in tiles", ""};
  cost.flops = products + 2 * (n + m) * (1 + c) * weight_count(network, inputs, outputs);
  cost.kept_bytes = side * side * n * m * number(static_cast<Index>(scalar_bytes));
  cost.working_bytes = std::min(number(kHeldEntries), m * entries) * number(static_cast<Index>(scalar_bytes));
  return cost;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                 \
  template Matrix<Scalar> tangent_kernel(const Mlp<Scalar>&, const MatrixView<Scalar>&, const MatrixView<Scalar>&, \
                                         const TangentOptions&);                                                   \
  template Matrix<Scalar> tangent_kernel_matrix(const Mlp<Scalar>&, const MatrixView<Scalar>&, const TangentOptions&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::nets
