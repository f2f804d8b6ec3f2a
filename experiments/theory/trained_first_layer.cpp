#include "experiments/theory/trained_first_layer.h"

#include "core/data/metrics.h"
#include "core/data/synthetic/synthetic.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/adam_training.h"

namespace ansatz::experiments {
namespace {

constexpr Index kTestRows = 2000;

double share_in(const Matrix<double>& subspace, const Matrix<double>& weight) {
  return (weight * subspace.transpose()).squaredNorm() / weight.squaredNorm();
}

}  // namespace

TrainedFirstLayer train_first_layer(const TrainedFirstLayerOptions& options, const RandomStream& stream) {
  const Split<double> split = in_section("theory.sample_complexity", [&] {
    return make_low_rank<double>(options.target, options.samples, 0, kTestRows, stream);
  });
  nets::MlpOptions architecture;
  architecture.hidden_layers = {options.width};
  const nets::Mlp<double> initial(split.train.dimension(), 1, architecture, stream.named("network"));
  const nets::TrainState<double> state = in_section(
      "theory.trained", [&] { return trained_by_adam(initial, split, options.epochs, options.learning_rate, stream); });
  const Matrix<double>& subspace = split.truth->subspace;
  TrainedFirstLayer result;
  result.weight = state.first_layer();
  result.share_before = share_in(subspace, initial.weight(1));
  result.share = share_in(subspace, result.weight);
  result.r2 = evaluate<double>(state.current(), split.test).r2;
  return result;
}

}  // namespace ansatz::experiments
