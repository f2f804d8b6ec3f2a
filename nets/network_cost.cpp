#include "nets/network_cost.h"

namespace ansatz::nets {
namespace {

double number(Index value) { return static_cast<double>(value); }

}  // namespace

double weight_count(const MlpOptions& options, Index inputs, Index outputs) {
  double count = 0;
  for (const Index width : options.hidden_layers) {
    count += number(inputs) * number(width);
    inputs = width;
  }
  return count + number(inputs) * number(outputs);
}

Index first_width(const MlpOptions& options, Index outputs) {
  return options.hidden_layers.empty() ? outputs : options.hidden_layers.front();
}

Cost agop_cost(const MlpOptions& options, Index points, Index inputs, Index outputs, std::size_t scalar_bytes) {
  const double k = number(first_width(options, outputs)), d = number(inputs);
  const double later = weight_count(options, inputs, outputs) - k * d;
  Cost cost{"sandwich (W1, H), streamed", ""};
  cost.flops = 2 * (2 * number(points) * number(outputs) * (later + k * k));
  cost.kept_bytes = 2 * (k * k + k * d) * number(Index(scalar_bytes));
  return cost;
}

}  // namespace ansatz::nets
