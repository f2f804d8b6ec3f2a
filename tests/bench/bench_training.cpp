// Network training as a fraction of the matrix-product rate of the same process: bench_training [threads]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "core/machine/parallel.h"
#include "nets/training/trainer.h"
#include "tests/bench/measure.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

constexpr Index kWidth = 1024, kOutputs = 10;
constexpr Index kSteps = 10;   // of an epoch
constexpr Index kEpochs = 20;  // short and many: the fastest counts

/// Of one pass forward and back over one sample; the first layer needs no gradient of its input.
double operations_per_sample(Index d) {
  const double k = kWidth;
  return 2 * (2 * static_cast<double>(d) * k + 3 * k * k + 3 * k * kOutputs);
}

/// Seconds of the fastest epoch.
double epoch_seconds(Index d, Index batch, const OptimizerOptions& optimizer) {
  RandomStream stream(2);
  Dataset<float> data;
  data.inputs = stream.normal_matrix<float>(batch * kSteps, d) / std::sqrt(static_cast<float>(d));
  data.targets = stream.normal_matrix<float>(batch * kSteps, kOutputs);
  TrainOptions options;
  options.optimizer = optimizer;
  options.batch_size = batch;
  options.epochs = kEpochs;
  options.evaluate_every = kEpochs;  // epochs 1 to kEpochs - 1 are updates alone
  MlpOptions network;
  network.hidden_layers = {kWidth, kWidth};
  const TrainState<float> state =
      train(TrainState<float>(Mlp<float>(d, kOutputs, network, stream)), data, {}, options, stream);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t e = 1; e + 1 < state.history().size(); ++e)
    best = std::min(best, state.history()[e].seconds - state.history()[e - 1].seconds);
  return best;
}

void report(Index d, Index batch, const char* name, const OptimizerOptions& optimizer, double square_rate) {
  const double same_shape = bench::product_rate<float>(batch, d, kWidth);
  const double seconds = epoch_seconds(d, batch, optimizer);
  const double rate = operations_per_sample(d) * static_cast<double>(batch * kSteps) / seconds;
  std::printf("%6ld %6ld  %-12s %9.2f %10.1f %16.0f %% %16.0f %%\n", static_cast<long>(d), static_cast<long>(batch),
              name, 1e3 * seconds / kSteps, rate * 1e-9, 100 * rate / same_shape, 100 * rate / square_rate);
}

}  // namespace

int main(int argc, char** argv) {
  ansatz::set_threads(argc > 1 ? std::atoi(argv[1]) : 0);
  nets::set_threads(ansatz::threads());
  const double square_rate = bench::product_rate();
  std::printf("%s, %s, %d threads\n", torch_description().c_str(), blas_description().c_str(), threads());
  std::printf("float32 product 2048^3: %.1f Gflop/s. Network d - %ld - %ld - %ld\n", square_rate * 1e-9,
              static_cast<long>(kWidth), static_cast<long>(kWidth), static_cast<long>(kOutputs));
  std::printf("%6s %6s  %-12s %9s %10s %18s %18s\n", "d", "batch", "optimiser", "ms/step", "Gflop/s",
              "of batch x d x k", "of 2048^3");
  OptimizerOptions sgd, momentum, adam;
  sgd.learning_rate = momentum.learning_rate = 1e-3;
  momentum.momentum = 0.9;
  adam.kind = OptimizerOptions::Kind::adam;
  adam.learning_rate = 1e-5;
  for (const Index d : {784, 3072})
    for (const Index batch : {32, 128, 512}) {
      report(d, batch, "sgd", sgd, square_rate);
      if (batch != 128) continue;
      report(d, batch, "sgd momentum", momentum, square_rate);
      report(d, batch, "adam", adam, square_rate);
    }
}
