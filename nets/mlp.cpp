#include "nets/mlp.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "nets/initial_layers.h"
#include "nets/mlp_impl.h"
#include "nets/tensors.h"

namespace ansatz::nets {
namespace {

using detail::at_border;
using detail::Layer;

void validate(Index inputs, Index outputs, const MlpOptions& options) {
  if (inputs < 1 || outputs < 1)
    throw ConfigError("network: needs at least one input and one output, found " + std::to_string(inputs) + " and " +
                      std::to_string(outputs));
  for (const Index width : options.hidden_layers)
    if (width < 1) throw ConfigError("`hidden_layers`: widths must be at least 1, found " + std::to_string(width));
  for (const auto& [name, value] : {std::pair("first_layer_std", options.first_layer_std.value_or(1)),
                                    std::pair("output_scale", options.output_scale)})
    if (!(value > 0) || !std::isfinite(value))
      throw ConfigError(std::string("`") + name + "`: must be positive and finite, found " + std::to_string(value));
}

std::string shape_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

template <class Scalar>
void check_layer(const std::vector<LinearLayer<Scalar>>& layers, std::size_t l) {
  const auto& [w, b] = layers[l];
  const std::string name = "network weights: W" + std::to_string(l + 1) + " (" + shape_text(w.rows(), w.cols()) + ")";
  if (w.size() == 0) throw DataError(name + " is empty");
  if (!w.allFinite()) throw DataError(name + " has entries that are not finite");
  if (l > 0 && w.cols() != layers[l - 1].weight.rows())
    throw DataError(name + " does not follow W" + std::to_string(l) + " (" +
                    shape_text(layers[l - 1].weight.rows(), layers[l - 1].weight.cols()) +
                    "): each must be outputs x inputs, its inputs the outputs of the one before");
  if (b.size() == 0) return;
  if (b.size() != w.rows()) throw DataError(name + " has " + std::to_string(b.size()) + " biases for its outputs");
  if (!b.allFinite()) throw DataError(name + " has biases that are not finite");
}

template <class Scalar>
std::vector<LinearLayer<Scalar>> without_biases(const std::vector<Matrix<Scalar>>& weights) {
  std::vector<LinearLayer<Scalar>> layers;
  for (const Matrix<Scalar>& w : weights) layers.push_back({w, {}});
  return layers;
}

// Adds S^T S to the lower triangle of the k x k `h`, S being rows x k.
template <class Scalar>
void add_gram(const at::Tensor& s, at::Tensor& h) {
  if (!s.is_cpu()) {
    h.addmm_(s.t(), s);
    return;
  }
  // LibTorch has no symmetric rank-k update; BLAS has, at half the work.
  using Map = Eigen::Map<Matrix<Scalar>>;
  Map accumulated(h.data_ptr<Scalar>(), h.size(0), h.size(1));
  const Map signals(s.data_ptr<Scalar>(), s.size(0), s.size(1));
  accumulated.template selfadjointView<Eigen::Lower>().rankUpdate(signals.transpose());
}

}  // namespace

template <class Scalar>
Mlp<Scalar>::Mlp(Index inputs, Index outputs, const MlpOptions& options, const RandomStream& stream)
    : impl_(std::make_unique<Impl>()) {
  validate(inputs, outputs, options);
  impl_->options = options;
  impl_->stack.activation = options.activation;
  at_border("making the network", [&] {
    Index fan_in = inputs, number = 1;
    for (const Index width : options.hidden_layers) {
      impl_->stack.layers.push_back(detail::initial_layer<Scalar>(number++, width, fan_in, options, stream));
      fan_in = width;
    }
    impl_->stack.layers.push_back(detail::initial_layer<Scalar>(number, outputs, fan_in, options, stream));
    impl_->stack.layers.back().weight_multiplier *= options.output_scale;
    impl_->stack.layers.back().bias_multiplier *= options.output_scale;
  });
}

template <class Scalar>
Mlp<Scalar>::Mlp(const std::vector<Matrix<Scalar>>& weights, Activation activation)
    : Mlp(without_biases(weights), activation) {}

template <class Scalar>
Mlp<Scalar>::Mlp(const std::vector<LinearLayer<Scalar>>& layers, Activation activation)
    : impl_(std::make_unique<Impl>()) {
  if (layers.empty()) throw DataError("network weights: none given; needs at least one matrix");
  for (std::size_t l = 0; l < layers.size(); ++l) check_layer(layers, l);
  impl_->options.hidden_layers.clear();
  impl_->options.activation = impl_->stack.activation = activation;
  at_border("making the network", [&] {
    for (const LinearLayer<Scalar>& layer : layers) {
      if (&layer != &layers.back()) impl_->options.hidden_layers.push_back(layer.weight.rows());
      Layer made;
      made.weight = detail::to_tensor<Scalar>(layer.weight);
      if (layer.bias.size() > 0) {
        made.bias = detail::to_tensor<Scalar>(Matrix<Scalar>(layer.bias)).view({layer.bias.size()});
        impl_->options.bias = true;
      }
      impl_->stack.layers.push_back(std::move(made));
    }
  });
}

template <class Scalar>
Mlp<Scalar>::Mlp(const Mlp& other)
    : impl_(at_border("copying the network", [&] { return other.impl_->copy_to(other.impl_->stack.device()); })) {}
template <class Scalar>
Mlp<Scalar>::Mlp(Mlp&&) noexcept = default;
template <class Scalar>
Mlp<Scalar>& Mlp<Scalar>::operator=(const Mlp& other) {
  if (this != &other) *this = Mlp(other);
  return *this;
}
template <class Scalar>
Mlp<Scalar>& Mlp<Scalar>::operator=(Mlp&&) noexcept = default;
template <class Scalar>
Mlp<Scalar>::~Mlp() = default;
template <class Scalar>
Mlp<Scalar>::Mlp(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

template <class Scalar>
Index Mlp<Scalar>::input_dimension() const {
  return impl_->stack.inputs();
}
template <class Scalar>
Index Mlp<Scalar>::output_dimension() const {
  return impl_->stack.outputs();
}

template <class Scalar>
Index Mlp<Scalar>::layers() const {
  return static_cast<Index>(impl_->stack.layers.size());
}

template <class Scalar>
const MlpOptions& Mlp<Scalar>::options() const {
  return impl_->options;
}

template <class Scalar>
Device Mlp<Scalar>::device() const {
  return impl_->stack.device().is_cuda() ? Device::cuda : Device::cpu;
}

template <class Scalar>
Mlp<Scalar> Mlp<Scalar>::on(Device device) const {
  return at_border("moving the network", [&] { return Mlp(impl_->copy_to(detail::torch_device(device))); });
}

namespace {
const Layer& layer_at(const detail::Stack& stack, Index layer) {
  const auto count = static_cast<Index>(stack.layers.size());
  if (layer < 1 || layer > count)
    throw ConfigError("network layer " + std::to_string(layer) + ": layers count from 1 to " + std::to_string(count));
  return stack.layers[static_cast<std::size_t>(layer - 1)];
}

void check_width(const detail::Stack& stack, Index columns) {
  if (columns != stack.inputs())
    throw DataError("network: expects inputs of " + std::to_string(stack.inputs()) + " columns, found " +
                    std::to_string(columns));
}

// Calls body(first row, count, those rows on the stack's device) over tiles of x.
template <class Scalar, class Body>
void for_each_tile(const detail::Stack& stack, const MatrixView<Scalar>& x, Index copies, Body&& body) {
  const Index tile = detail::tile_rows(stack, copies);
  const at::Tensor inputs = detail::view_of<Scalar>(x);
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    const Index count = std::min(tile, x.rows() - begin);
    body(begin, count, inputs.narrow(0, begin, count).to(stack.device()));
  }
}

}  // namespace

template <class Scalar>
Matrix<Scalar> Mlp<Scalar>::weight(Index layer) const {
  const Layer& l = layer_at(impl_->stack, layer);
  return at_border("reading weights", [&] { return detail::to_matrix<Scalar>(l.effective_weight()); });
}

template <class Scalar>
Vector<Scalar> Mlp<Scalar>::bias(Index layer) const {
  const Layer& l = layer_at(impl_->stack, layer);
  if (!l.bias.defined()) return {};
  return at_border("reading biases", [&] { return detail::to_vector<Scalar>(l.bias.mul(l.bias_multiplier)); });
}

template <class Scalar>
FeatureMatrix<Scalar> Mlp<Scalar>::feature_matrix(Index layer) const {
  return FeatureMatrix<Scalar>::sandwich(weight(layer));
}

template <class Scalar>
Matrix<Scalar> Mlp<Scalar>::predict(const MatrixView<Scalar>& x) const {
  check_width(impl_->stack, x.cols());
  return at_border("network prediction", [&] {
    return detail::to_matrix<Scalar>(detail::forward_in_tiles(impl_->stack, detail::view_of<Scalar>(x)));
  });
}

template <class Scalar>
Matrix<Scalar> Mlp<Scalar>::input_jacobian(const MatrixView<Scalar>& x) const {
  check_width(impl_->stack, x.cols());
  const Index c = output_dimension();
  Matrix<Scalar> jacobian(x.rows() * c, x.cols());
  at_border("network gradients", [&] {
    at::Tensor gradients = detail::writable_view_of<Scalar>(jacobian);
    const at::Tensor w = impl_->stack.layers.front().effective_weight();
    for_each_tile<Scalar>(impl_->stack, x, c, [&](Index begin, Index count, const at::Tensor& rows) {
      const at::Tensor s = detail::signals(impl_->stack, rows, 1).reshape({count * c, w.size(0)});
      at::Tensor tile = gradients.narrow(0, begin * c, count * c);
      if (s.is_cpu())
        at::mm_out(tile, s, w);
      else
        tile.copy_(s.mm(w));
    });
  });
  return jacobian;
}

template <class Scalar>
FeatureMatrix<Scalar> Mlp<Scalar>::agop(const MatrixView<Scalar>& x, bool center, Index layer) const {
  const Layer& l = layer_at(impl_->stack, layer);
  check_width(impl_->stack, x.cols());
  if (x.rows() == 0) throw DataError("network gradient outer product: needs at least one input row");
  const Index c = output_dimension();
  const double m = static_cast<double>(x.rows());
  Matrix<Scalar> core = at_border("network gradient outer product", [&] {
    const Index k = l.weight.size(0);
    at::Tensor h = at::zeros({k, k}, l.weight.options());
    at::Tensor origin, sum;  // c x k; the mean is relative to the first tile's mean, so that few digits cancel
    for_each_tile<Scalar>(impl_->stack, x, c, [&](Index, Index count, const at::Tensor& rows) {
      at::Tensor s = detail::signals(impl_->stack, rows, layer);
      if (center) {
        if (!origin.defined()) {
          origin = s.mean(0);
          sum = at::zeros({c, k}, l.weight.options().dtype(at::kDouble));
        }
        s = s.sub(origin);
        sum.add_(s.sum(0));
      }
      add_gram<Scalar>(s.reshape({count * c, k}).contiguous(), h);
    });
    h.div_(m);
    if (center) {
      const at::Tensor mean = sum.div_(m).to(h.scalar_type());
      h.addmm_(mean.t(), mean, 1, -1);
    }
    return detail::to_matrix<Scalar>(h);
  });
  core.template triangularView<Eigen::StrictlyUpper>() = core.transpose();
  return FeatureMatrix<Scalar>::sandwich(std::make_shared<const Matrix<Scalar>>(weight(layer)), std::move(core));
}

template class Mlp<float>;
template class Mlp<double>;

}  // namespace ansatz::nets
