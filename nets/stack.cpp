#include "nets/stack.h"

#include <algorithm>

namespace ansatz::nets::detail {

at::Tensor Layer::effective_weight() const { return weight_multiplier == 1 ? weight : weight.mul(weight_multiplier); }

Index Stack::widest() const {
  Index widest = 0;
  for (const Layer& layer : layers) widest = std::max<Index>(widest, layer.weight.size(0));
  return widest;
}

Stack Stack::copy_to(at::Device device) const {
  Stack copy = *this;
  for (Layer& layer : copy.layers) {
    layer.weight = layer.weight.to(device, layer.weight.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    if (layer.bias.defined()) layer.bias = layer.bias.to(device, layer.bias.scalar_type(), false, true);
  }
  return copy;
}

std::vector<at::Tensor> Stack::parameters() const {
  std::vector<at::Tensor> all;
  for (const Layer& layer : layers) {
    all.push_back(layer.weight);
    if (layer.bias.defined()) all.push_back(layer.bias);
  }
  return all;
}

void pre_activation(const Layer& layer, const at::Tensor& h, at::Tensor& out) {
  const bool biased = layer.bias.defined();
  at::addmm_out(out, biased ? layer.bias : out, h, layer.weight.t(), biased ? layer.bias_multiplier : 0.0,
                layer.weight_multiplier);
}

at::Tensor forward(const Stack& stack, const at::Tensor& x) {
  at::Tensor h = x;
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    at::Tensor z = at::empty({x.size(0), stack.layers[l].weight.size(0)}, x.options());
    pre_activation(stack.layers[l], h, z);
    if (l + 1 < stack.layers.size()) info_of(stack.activation).apply(z);
    h = z;
  }
  return h;
}

at::Tensor forward_in_tiles(const Stack& stack, const at::Tensor& x) {
  const Index b = x.size(0), tile = tile_rows(stack, 1);
  at::Tensor outputs = at::empty({b, stack.outputs()}, stack.layers.front().weight.options());
  for (Index begin = 0; begin < b; begin += tile) {
    const Index count = std::min(tile, b - begin);
    outputs.narrow(0, begin, count).copy_(forward(stack, x.narrow(0, begin, count).to(stack.device())));
  }
  return outputs;
}

at::Tensor signals(const Stack& stack, const at::Tensor& x, Index layer) {
  const auto target = static_cast<std::size_t>(layer - 1);
  const std::size_t last = stack.layers.size() - 1;
  const Index b = x.size(0), c = stack.outputs();
  if (target == last) return at::eye(c, x.options()).unsqueeze(0).expand({b, c, c});

  const ActivationInfo& activation = info_of(stack.activation);
  std::vector<at::Tensor> derivatives(last);  // phi'(z_l) of the hidden layers from `layer` up
  at::Tensor h = x;
  for (std::size_t l = 0; l < last; ++l) {
    at::Tensor z = at::empty({b, stack.layers[l].weight.size(0)}, x.options());
    pre_activation(stack.layers[l], h, z);
    if (l >= target) derivatives[l] = activation.derivative(z);
    if (l + 1 < last) activation.apply(z);
    h = z;
  }

  at::Tensor s = stack.layers[last].effective_weight().unsqueeze(0).mul(derivatives[last - 1].unsqueeze(1));
  for (std::size_t l = last - 1; l > target; --l) {
    const at::Tensor w = stack.layers[l].effective_weight();
    s = s.view({b * c, w.size(0)}).mm(w).view({b, c, w.size(1)});
    s.mul_(derivatives[l - 1].unsqueeze(1));
  }
  return s;
}

Index tile_rows(const Stack& stack, Index copies) {
  constexpr Index kEntries = Index{1} << 20;  // 4 MB in float32
  constexpr Index kProductRows = 512;         // fewer rows a product would read the weights too often
  const Index in_cache = kEntries / (copies * stack.widest());
  const Index for_speed = (kProductRows + copies - 1) / copies;
  return std::max(in_cache, for_speed);
}

}  // namespace ansatz::nets::detail
