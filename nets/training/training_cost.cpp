#include "nets/training/training_cost.h"

#include "nets/network_cost.h"

namespace ansatz::nets {
namespace {

double number(Index value) { return static_cast<double>(value); }

}  // namespace

Cost training_cost(const MlpOptions& network, const TrainOptions& training, const TrainingSize& size, Index looks,
                   std::size_t scalar_bytes) {
  const OptimizerInfo& optimizer = info_of(training.optimizer.kind);
  const Index width = first_width(network, size.outputs);
  const bool in_span = trains_in_span(training, size.train, size.validation, size.inputs, width);
  const double weights = weight_count(network, size.inputs, size.outputs), scalar = number(Index(scalar_bytes));
  const double n = number(size.train), rows = number(size.train + size.validation);
  const double k = number(width), d = number(size.inputs);
  const double first = k * (in_span ? rows : d), later = weights - k * d;
  const double evaluations = number(training.epochs) / number(training.evaluate_every);
  Cost cost{optimizer.name, ""};
  // No signal goes back through the first layer.
  cost.flops = (4 * first + 6 * later) * n * number(training.epochs) + 2 * (first + later) * rows * evaluations;
  cost.working_bytes = (optimizer.moments ? 3 : 2) * weights * scalar + n * d * scalar;
  cost.kept_bytes = 3 * weights * scalar;  // initial, current, best
  cost.kept_bytes += number(training.epochs) * sizeof(EpochRecord);
  if (!in_span) return cost;
  cost.algorithm += ", W1 in the span of the inputs";
  cost.reason = "fewer rows than inputs";
  cost.flops += 4 * d * rows * rows + number(looks) * 2 * k * rows * d;  // into the span, and out of it again
  cost.working_bytes += 2 * rows * d * scalar;
  return cost;
}

}  // namespace ansatz::nets
