#include <cmath>

#include "core/base/error.h"
#include "nets/training/trainer.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

using FirstLayer = TrainOptions::FirstLayer;
const RandomStream kStream(5);

template <class Scalar>
Dataset<Scalar> regression(Index n, Index d, std::string_view name) {
  RandomStream stream = kStream.named(name);
  Dataset<Scalar> data;
  data.inputs = stream.normal_matrix<Scalar>(n, d) / std::sqrt(Scalar(d));
  data.targets = stream.normal_matrix<Scalar>(n, 2);
  return data;
}

template <class Scalar>
Mlp<Scalar> network(Index d, bool bias, Initialization initialization) {
  MlpOptions options;
  options.hidden_layers = {7, 5};
  options.bias = bias;
  options.initialization = initialization;
  return Mlp<Scalar>(d, 2, options, kStream.named("network"));
}

TrainOptions options_of(FirstLayer first_layer, double momentum = 0) {
  TrainOptions options;
  options.epochs = 30;
  options.batch_size = 4;
  options.optimizer.learning_rate = 0.1;
  options.optimizer.momentum = momentum;
  options.first_layer = first_layer;
  return options;
}

template <class Scalar>
double largest_difference(const Mlp<Scalar>& a, const Mlp<Scalar>& b) {
  double largest = 0;
  for (Index l = 1; l <= a.layers(); ++l) {
    largest = std::max(largest, double((a.weight(l) - b.weight(l)).cwiseAbs().maxCoeff()));
    if (a.bias(l).size() > 0) largest = std::max(largest, double((a.bias(l) - b.bias(l)).cwiseAbs().maxCoeff()));
  }
  return largest;
}

}  // namespace

TEMPLATE_TEST_CASE("training in the span of the inputs is training: every parameter, epoch and record", "", float,
                   double) {
  const Index d = 40;
  const double tolerance = std::is_same_v<TestType, float> ? 2e-4 : 1e-12;  // 120 steps, with momentum as of 1200
  Dataset<TestType> train_set = regression<TestType>(13, d, "train");
  train_set.inputs.row(5) = train_set.inputs.row(2);  // a span of fewer dimensions than rows
  const Dataset<TestType> validation = regression<TestType>(6, d, "validation"), none;
  for (const bool bias : {false, true})
    for (const auto initialization : {Initialization::pytorch_default, Initialization::ntk})
      for (const double momentum : {0.0, 0.9})
        for (const Dataset<TestType>* held_out : {&validation, &none}) {
          const Mlp<TestType> initial = network<TestType>(d, bias, initialization);
          const RandomStream batches = kStream.named("batches");
          std::vector<Matrix<TestType>> first_layers[2];
          const auto run = [&](FirstLayer form, int which) {
            return train<TestType>(TrainState<TestType>(initial), train_set, *held_out, options_of(form, momentum),
                                   batches, [&](const EpochRecord&, const TrainState<TestType>& state) {
                                     first_layers[which].push_back(state.first_layer());
                                     return true;
                                   });
          };
          const auto direct = run(FirstLayer::direct, 0), in_span = run(FirstLayer::in_span, 1);
          CHECK(largest_difference(direct.current(), in_span.current()) < tolerance);
          CHECK(largest_difference(direct.best(), in_span.best()) < tolerance);
          CHECK(largest_difference(direct.current(), initial) > 1e-2);  // something was learned
          CHECK(direct.best_epoch() == in_span.best_epoch());
          for (std::size_t epoch = 0; epoch < first_layers[0].size(); ++epoch)
            CHECK((first_layers[0][epoch] - first_layers[1][epoch]).cwiseAbs().maxCoeff() < tolerance);
          CHECK(first_layers[1].front() == initial.weight(1));
          for (std::size_t i = 0; i < direct.history().size(); ++i)
            CHECK(direct.history()[i].train_loss == Approx(in_span.history()[i].train_loss).epsilon(100 * tolerance));
        }
}

namespace {

/// The end of a training of 30 epochs, and the same with a break after the 11th: saved, loaded, gone on with `rest`.
template <class Scalar>
struct Interrupted {
  TrainState<Scalar> whole, resumed;
};

template <class Scalar>
Interrupted<Scalar> interrupt(const Mlp<Scalar>& initial, const Dataset<Scalar>& train_set,
                              const Dataset<Scalar>& validation, const Dataset<Scalar>& rest,
                              const std::filesystem::path& file) {
  const TrainOptions options = options_of(FirstLayer::in_span, 0.9);
  const RandomStream batches = kStream.named("batches");
  TrainOptions half = options;
  half.epochs = 11;
  const auto first = train<Scalar>(TrainState<Scalar>(initial), train_set, validation, half, batches);
  first.save(file);
  TrainState<Scalar> loaded = TrainState<Scalar>::load(file, initial);
  CHECK(loaded.epoch() == 11);
  CHECK(largest_difference(loaded.current(), first.current()) == 0);
  return {train<Scalar>(TrainState<Scalar>(initial), train_set, validation, options, batches),
          train<Scalar>(std::move(loaded), rest, validation, options, batches)};
}

}  // namespace

TEST_CASE("a training in the span that was saved and loaded goes on to the same bits") {
  const TemporaryFolder folder;
  const Dataset<float> train_set = regression<float>(13, 40, "train"), validation = regression<float>(6, 40, "v");
  const Mlp<float> initial = network<float>(40, true, Initialization::pytorch_default);
  const auto [whole, resumed] = interrupt<float>(initial, train_set, validation, train_set, folder / "state");
  CHECK(largest_difference(whole.current(), resumed.current()) == 0);
  CHECK(largest_difference(whole.best(), resumed.best()) == 0);
  const Dataset<float> fewer = regression<float>(12, 40, "train");
  CHECK_THROWS_AS(interrupt<float>(initial, train_set, validation, fewer, folder / "state"), DataError);
}

TEST_CASE("a resumed training in the span does not depend on the directions that rounding chose") {
  const TemporaryFolder folder;
  Dataset<double> train_set = regression<double>(13, 40, "train"), validation = regression<double>(6, 40, "v");
  train_set.inputs.row(5) = train_set.inputs.row(2);
  validation.inputs.row(1) = train_set.inputs.row(0);
  Dataset<double> elsewhere = train_set;  // another processor's rounding
  elsewhere.inputs.row(5) += 1e-15 * RandomStream(3).normal_matrix<double>(1, 40);
  const Mlp<double> initial = network<double>(40, false, Initialization::pytorch_default);
  const auto [whole, resumed] = interrupt<double>(initial, train_set, validation, elsewhere, folder / "state");
  CHECK(largest_difference(whole.current(), resumed.current()) < 1e-11);  // Q is that of the first part
  CHECK(largest_difference(whole.best(), resumed.best()) < 1e-11);
}

TEST_CASE("the span is taken where it saves time, and refused where it is not the same") {
  TrainOptions options;
  options.epochs = 300;
  CHECK(trains_in_span(options, 1080, 270, 27648, 1024));         // faces at the paper's resolution
  CHECK_FALSE(trains_in_span(options, 4000, 1000, 784, 512));     // more rows than inputs
  CHECK_FALSE(trains_in_span(options, 20000, 5000, 27648, 256));  // a decomposition that outweighs what it saves
  options.epochs = 1;
  CHECK_FALSE(trains_in_span(options, 1080, 270, 27648, 64));
  options.epochs = 300;
  options.optimizer.weight_decay = 0.1;
  CHECK_FALSE(trains_in_span(options, 1080, 270, 27648, 1024));
  options.first_layer = FirstLayer::in_span;
  CHECK(contains(message_of<ConfigError>([&] { trains_in_span(options, 10, 2, 100, 8); }), "first_layer"));
  options.optimizer.weight_decay = 0;
  CHECK(trains_in_span(options, 10, 2, 100, 8));
  CHECK_THROWS_AS(trains_in_span(options, 90, 10, 100, 8), ConfigError);
  for (const auto kind : {OptimizerOptions::Kind::adam, OptimizerOptions::Kind::adamw}) {
    options.optimizer.kind = kind;
    CHECK_THROWS_AS(trains_in_span(options, 10, 2, 100, 8), ConfigError);
  }
}
