#include "nets/training/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/machine/parallel.h"

namespace ansatz::nets::detail {
namespace {

struct AdamStep {
  double beta1, beta2, epsilon;
  double in_gradient;      ///< weight decay that the gradient gets (adam)
  double kept;             ///< what the decay leaves of the parameter (adamw)
  double rate;             ///< learning rate / (1 - beta1^t)
  double root_correction;  ///< sqrt(1 - beta2^t)
};

// Adam in one pass over memory, in tiles that fit the first-level cache. As separate tensor operations, the moments of
// a wide layer would take longer than its products.
template <class Scalar>
void adam_in_place(const at::Tensor& value, const at::Tensor& gradient, const at::Tensor& first,
                   const at::Tensor& second, const AdamStep& step) {
  constexpr Index kTile = 2048;
  using Array = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  parallel_tiles(value.numel(), kTile, [&](Index begin, Index end) {
    const Index n = end - begin;
    Array w(value.data_ptr<Scalar>() + begin, n), g(gradient.data_ptr<Scalar>() + begin, n);
    Array m(first.data_ptr<Scalar>() + begin, n), v(second.data_ptr<Scalar>() + begin, n);
    if (step.in_gradient != 0) g += s(step.in_gradient) * w;
    m = s(step.beta1) * m + s(1 - step.beta1) * g;
    v = s(step.beta2) * v + s(1 - step.beta2) * g.square();
    if (step.kept != 1) w *= s(step.kept);
    w -= s(step.rate) * m / (v.sqrt() / s(step.root_correction) + s(step.epsilon));
  });
}

void adam_by_operations(const at::Tensor& value, const at::Tensor& gradient, const at::Tensor& first,
                        const at::Tensor& second, const AdamStep& step) {
  if (step.in_gradient != 0) gradient.add_(value, step.in_gradient);
  first.mul_(step.beta1).add_(gradient, 1 - step.beta1);
  second.mul_(step.beta2).addcmul_(gradient, gradient, 1 - step.beta2);
  if (step.kept != 1) value.mul_(step.kept);
  value.addcdiv_(first, second.sqrt().div_(step.root_correction).add_(step.epsilon), -step.rate);
}

void fill_with_zeros(std::vector<at::Tensor>& buffers, const std::vector<at::Tensor>& like) {
  if (!buffers.empty()) return;
  for (const at::Tensor& t : like) buffers.push_back(at::zeros_like(t));
}

}  // namespace

Optimizer::Optimizer(const OptimizerOptions& options, const Stack& stack, OptimizerState& state)
    : options_(options), state_(&state) {
  const bool moments = info_of(options.kind).moments;
  state.kind = options.kind;
  if (moments || options.momentum != 0) fill_with_zeros(state.first, stack.parameters());
  if (moments) fill_with_zeros(state.second, stack.parameters());
  for (const Layer& layer : stack.layers) {
    layers_.push_back({parameters_.size(), layer.bias.defined()});
    parameters_.push_back({layer.weight, layer.weight_multiplier, {}, 0});
    if (layer.bias.defined()) parameters_.push_back({layer.bias.view({-1, 1}), layer.bias_multiplier, {}, 0});
  }
}

// Calls action(parameter, g, h) for weight and bias; the bias counts as the weight of an input that is always 1.
template <class Action>
void Optimizer::for_each_parameter(std::size_t layer, const at::Tensor& g, const at::Tensor& h, Action&& action) {
  const LayerParameters& l = layers_[layer];
  action(l.weight, g, h);
  if (l.biased) action(l.weight + 1, g, at::ones({g.size(0), 1}, g.options()));
}

void Optimizer::update(std::size_t layer, const at::Tensor& g, const at::Tensor& h) {
  for_each_parameter(layer, g, h,
                     [this](std::size_t p, const at::Tensor& a, const at::Tensor& b) { update_parameter(p, a, b); });
}

void Optimizer::accumulate(std::size_t layer, const at::Tensor& g, const at::Tensor& h) {
  for_each_parameter(layer, g, h, [this](std::size_t p, const at::Tensor& a, const at::Tensor& b) {
    add_to_gradient(parameters_[p], a, b);
  });
}

void Optimizer::apply_accumulated() {
  begin_step();
  for (std::size_t p = 0; p < parameters_.size(); ++p) apply(p);
}

void Optimizer::update_parameter(std::size_t index, const at::Tensor& g, const at::Tensor& h) {
  Parameter& p = parameters_[index];
  if (options_.kind == OptimizerOptions::Kind::sgd && options_.momentum == 0) {
    const double rate = options_.learning_rate;
    p.value.addmm_(g.t(), h, 1 - rate * options_.weight_decay, -rate * p.multiplier);
    return;
  }
  if (options_.kind == OptimizerOptions::Kind::sgd) {
    at::Tensor buffer = state_->first[index].view(p.value.sizes());
    buffer.addmm_(g.t(), h, options_.momentum, p.multiplier);
    if (options_.weight_decay != 0) buffer.add_(p.value, options_.weight_decay);
    p.value.add_(buffer, -options_.learning_rate);
    return;
  }
  add_to_gradient(p, g, h);
  apply(index);
}

void Optimizer::add_to_gradient(Parameter& p, const at::Tensor& g, const at::Tensor& h) {
  if (!p.gradient.defined()) p.gradient = at::empty_like(p.value);
  at::addmm_out(p.gradient, p.gradient, g.t(), h, p.keep, p.multiplier);
  p.keep = 1;
}

void Optimizer::apply(std::size_t index) {
  info_of(options_.kind).moments ? apply_adam(index) : apply_sgd(index);
  parameters_[index].keep = 0;
}

void Optimizer::apply_sgd(std::size_t index) {
  Parameter& p = parameters_[index];
  if (options_.weight_decay != 0) p.gradient.add_(p.value, options_.weight_decay);
  if (options_.momentum == 0) {
    p.value.add_(p.gradient, -options_.learning_rate);
    return;
  }
  at::Tensor buffer = state_->first[index].view(p.value.sizes());
  buffer.mul_(options_.momentum).add_(p.gradient);
  p.value.add_(buffer, -options_.learning_rate);
}

void Optimizer::apply_adam(std::size_t index) {
  const double t = static_cast<double>(state_->steps);
  const bool decoupled = options_.kind == OptimizerOptions::Kind::adamw;
  const AdamStep step{options_.beta1,
                      options_.beta2,
                      options_.epsilon,
                      decoupled ? 0 : options_.weight_decay,
                      decoupled ? 1 - options_.learning_rate * options_.weight_decay : 1,
                      options_.learning_rate / (1 - std::pow(options_.beta1, t)),
                      std::sqrt(1 - std::pow(options_.beta2, t))};
  Parameter& p = parameters_[index];
  const at::Tensor first = state_->first[index].view(p.value.sizes());
  const at::Tensor second = state_->second[index].view(p.value.sizes());
  if (!p.value.is_cpu())
    adam_by_operations(p.value, p.gradient, first, second, step);
  else if (p.value.scalar_type() == at::kFloat)
    adam_in_place<float>(p.value, p.gradient, first, second, step);
  else
    adam_in_place<double>(p.value, p.gradient, first, second, step);
}

}  // namespace ansatz::nets::detail
