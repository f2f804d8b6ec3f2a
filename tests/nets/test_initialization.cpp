// What the parameterisations promise of wide networks: sizes of effective weights, of outputs, and of what a step
// moves.
#include <cmath>

#include "core/base/error.h"
#include "nets/tangents/hidden_features.h"
#include "nets/tangents/tangent_kernel.h"
#include "nets/training/trainer.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

Mlp<double> network(Index width, Initialization initialization, Index depth = 2) {
  MlpOptions options;
  options.hidden_layers.assign(static_cast<std::size_t>(depth), width);
  options.initialization = initialization;
  options.bias = true;
  return Mlp<double>(10, 1, options, RandomStream(5).named(std::to_string(width)));
}

double spread(const Matrix<double>& entries) {
  return std::sqrt(entries.squaredNorm() / static_cast<double>(entries.size()));
}

Dataset<double> unit_rows(Index rows) {
  Dataset<double> data;
  data.inputs = RandomStream(6).named("x").normal_matrix<double>(rows, 10);
  data.inputs.rowwise().normalize();
  data.targets = RandomStream(6).named("y").normal_matrix<double>(rows, 1);
  return data;
}

/// 1 less the cosine of the last hidden layer's features before and after a few full-batch steps.
double features_moved(Index width, Initialization initialization) {
  const Dataset<double> data = unit_rows(20);
  TrainOptions options;
  options.optimizer.learning_rate = 0.2;
  options.batch_size = 0;
  options.epochs = 10;
  options.keep_best = false;
  const Mlp<double> start = network(width, initialization);
  const auto state = train<double>(TrainState<double>(start), data, {}, options, RandomStream(1));
  CHECK(state.history().back().train_loss < state.history().front().train_loss);
  return 1 - feature_change(start, state.current(), data.inputs).hidden_cosine.back();
}

}  // namespace

TEST_CASE("effective weights have the standard deviations of their parameterisation") {
  for (const Index width : {200, 800}) {
    const double k = static_cast<double>(width);
    const Mlp<double> mup = network(width, Initialization::mup), ntk = network(width, Initialization::ntk);
    CHECK(spread(mup.weight(1)) == Approx(1).epsilon(0.05));
    CHECK(spread(mup.weight(2)) == Approx(std::sqrt(2 / k)).epsilon(0.05));
    CHECK(spread(mup.weight(3)) == Approx(1 / k).epsilon(0.15));
    CHECK(spread(mup.bias(1)) == Approx(0.1).epsilon(0.15));
    CHECK(spread(ntk.weight(1)) == Approx(1).epsilon(0.05));
    CHECK(spread(ntk.weight(2)) == Approx(std::sqrt(2 / k)).epsilon(0.05));
    CHECK(spread(ntk.weight(3)) == Approx(std::sqrt(2 / k)).epsilon(0.15));
  }
  MlpOptions options;
  options.hidden_layers = {300};
  options.initialization = Initialization::mup;
  options.first_layer_std = 0.01;
  CHECK(spread(Mlp<double>(10, 1, options, RandomStream(5)).weight(1)) == Approx(0.01).epsilon(0.05));
}

TEST_CASE("with the width, the tangent kernel stays in ntk and mup, and grows in PyTorch's parameterisation") {
  const Dataset<double> data = unit_rows(10);
  const auto growth = [&](Initialization initialization) {
    const auto size = [&](Index width) {
      return tangent_kernel_matrix(network(width, initialization), data.inputs).trace();
    };
    return size(2048) / size(128);
  };
  CHECK(growth(Initialization::ntk) == Approx(1).margin(0.3));
  CHECK(growth(Initialization::mup) == Approx(1).margin(0.3));
  CHECK(growth(Initialization::pytorch_default) > 4);
}

TEST_CASE("with the width, features move as much as before in mup, and ever less in ntk") {
  const double wide = features_moved(1024, Initialization::mup), narrow = features_moved(128, Initialization::mup);
  CHECK(wide / narrow > 0.4);
  CHECK(wide / narrow < 2.5);
  CHECK(features_moved(1024, Initialization::ntk) < 0.25 * features_moved(128, Initialization::ntk));
}

TEST_CASE("a training in mup goes on from its file, and not in that of another parameterisation") {
  const TemporaryFolder folder;
  const auto file = folder / "state.safetensors";
  const Mlp<double> mup = network(8, Initialization::mup);
  TrainState<double>(mup).save(file);
  CHECK(TrainState<double>::load(file, mup).current().weight(1) == mup.weight(1));
  CHECK_THAT(message_of<DataError>([&] { TrainState<double>::load(file, network(8, Initialization::ntk)); }),
             Catch::Contains("architecture"));
  CHECK_THAT(
      message_of<DataError>([&] { TrainState<double>::load(file, network(8, Initialization::pytorch_default)); }),
      Catch::Contains("architecture"));
}
