#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/files/files.h"
#include "nets/training/trainer.h"
#include "tests/nets/detail/torch_reference.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

const RandomStream kStream(77);

template <class Scalar>
Dataset<Scalar> regression(Index n, Index d, Index c, std::string_view name) {
  RandomStream stream = kStream.named(name);
  Dataset<Scalar> data;
  data.inputs = stream.normal_matrix<Scalar>(n, d);
  data.targets = stream.normal_matrix<Scalar>(n, c) + data.inputs.leftCols(c);
  return data;
}

/// x1 x2 on Rademacher inputs with noise 0.1 on them.
Dataset<float> product_task(Index n, Index d) {
  RandomStream stream = kStream.named("product");
  Dataset<float> data;
  data.inputs = stream.uniform_matrix<float>(n, d, -1, 1).array().sign();
  data.targets = data.inputs.col(0).cwiseProduct(data.inputs.col(1));
  data.inputs += 0.1f * stream.normal_matrix<float>(n, d);
  return data;
}

/// Classes by the largest of the first c inputs with noise.
template <class Scalar>
Dataset<Scalar> classification(Index n, Index d, Index c, std::string_view name) {
  RandomStream stream = kStream.named(name);
  Dataset<Scalar> data;
  data.task = Task::classification;
  data.inputs = stream.normal_matrix<Scalar>(n, d);
  const Matrix<Scalar> scores = data.inputs.leftCols(c) + stream.normal_matrix<Scalar>(n, c);
  data.targets = Matrix<Scalar>::Zero(n, c);
  for (Index i = 0; i < n; ++i) {
    Index k = 0;
    scores.row(i).maxCoeff(&k);
    data.targets(i, k) = 1;
  }
  return data;
}

TrainOptions options_of(Index epochs, Index batch_size, OptimizerOptions optimizer = {}) {
  TrainOptions options;
  options.epochs = epochs;
  options.batch_size = batch_size;
  options.optimizer = optimizer;
  return options;
}

OptimizerOptions sgd(double rate, double momentum = 0, double weight_decay = 0) {
  OptimizerOptions o;
  o.learning_rate = rate;
  o.momentum = momentum;
  o.weight_decay = weight_decay;
  return o;
}

OptimizerOptions adam(double rate, double weight_decay = 0) {
  OptimizerOptions o = sgd(rate, 0, weight_decay);
  o.kind = OptimizerOptions::Kind::adam;
  o.beta1 = 0.8;
  o.beta2 = 0.95;
  return o;
}

OptimizerOptions adamw(double rate, double weight_decay) {
  OptimizerOptions o = adam(rate, weight_decay);
  o.kind = OptimizerOptions::Kind::adamw;
  return o;
}

const std::vector<OptimizerOptions> kOptimizers{sgd(0.05),  sgd(0.05, 0, 0.1), sgd(0.02, 0.9), sgd(0.02, 0.9, 0.1),
                                                adam(0.01), adam(0.01, 0.1),   adamw(0.01, 0), adamw(0.01, 0.5)};

template <class Scalar>
Mlp<Scalar> network(Index d, Index c, std::vector<Index> hidden, Activation activation = Activation::relu,
                    bool bias = false, Initialization initialization = Initialization::pytorch_default) {
  MlpOptions options;
  options.hidden_layers = std::move(hidden);
  options.activation = activation;
  options.bias = bias;
  options.initialization = initialization;
  return Mlp<Scalar>(d, c, options, kStream.named("network"));
}

template <class Scalar>
bool same_parameters(const Mlp<Scalar>& a, const Mlp<Scalar>& b) {
  for (Index l = 1; l <= a.layers(); ++l)
    if (a.weight(l) != b.weight(l) || a.bias(l) != b.bias(l)) return false;
  return true;
}

std::vector<std::vector<Index>> batches_of(Index n, const TrainOptions& options, const RandomStream& stream) {
  const Index size = options.batch_size == 0 ? n : std::min(n, options.batch_size);
  std::vector<std::vector<Index>> batches;
  for (Index epoch = 1; epoch <= options.epochs; ++epoch) {
    const std::vector<Index> order = stream.named("epoch/" + std::to_string(epoch)).permutation(n);
    for (Index begin = 0; begin < n; begin += size)
      batches.emplace_back(order.begin() + begin, order.begin() + std::min(n, begin + size));
  }
  return batches;
}

// Largest relative difference of a parameter between our training and autograd's with torch::optim.
double difference_from_autograd(const Mlp<double>& initial, const Dataset<double>& data, const TrainOptions& options) {
  const RandomStream stream = kStream.named("training");
  const Mlp<double> ours = train(TrainState<double>(initial), data, {}, options, stream).current();
  const tests::ReferenceNetwork reference =
      tests::train_with_autograd(tests::reference_of(initial), options.loss, options.optimizer, data.inputs,
                                 data.targets, batches_of(data.size(), options, stream));
  double largest = 0;
  const auto compare = [&](const Matrix<double>& found, const Matrix<double>& expected, const Matrix<double>& before) {
    REQUIRE(found != before);  // else the comparison would be of nothing
    largest = std::max(largest, (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff());
  };
  for (std::size_t l = 0; l < reference.weights.size(); ++l) {
    const auto layer = static_cast<Index>(l) + 1;
    compare(ours.weight(layer), reference.multipliers[l] * reference.weights[l], initial.weight(layer));
    if (!reference.biases.empty())
      compare(ours.bias(layer).transpose(), reference.bias_multipliers[l] * reference.biases[l],
              initial.bias(layer).transpose());
  }
  return largest;
}

}  // namespace

// 1e-11: some ten steps that each amplify rounding (1e-16) a little; Adam divides by small second moments.
TEST_CASE("steps equal those of autograd with torch::optim, for every optimiser and architecture") {
  const Dataset<double> data = regression<double>(20, 5, 2, "data");
  for (std::size_t o = 0; o < kOptimizers.size(); ++o)
    for (const Activation activation :
         {Activation::relu, Activation::tanh, Activation::quadratic, Activation::linear, Activation::leaky_relu,
          Activation::gelu, Activation::silu, Activation::sigmoid})
      for (const bool bias : {false, true})
        for (const Initialization initialization : {Initialization::pytorch_default, Initialization::ntk}) {
          // The quadratic in NTK parameterisation has gradients in the hundreds: only small steps stay finite.
          if (activation == Activation::quadratic && initialization == Initialization::ntk &&
              kOptimizers[o].kind == OptimizerOptions::Kind::sgd)
            continue;
          const Mlp<double> initial = network<double>(5, 2, {8, 6}, activation, bias, initialization);
          CAPTURE(o, static_cast<int>(activation), bias, static_cast<int>(initialization));
          CHECK(difference_from_autograd(initial, data, options_of(3, 7, kOptimizers[o])) < 1e-11);
        }
}

TEST_CASE("steps of a network with an output scale equal those of autograd, for every optimiser") {
  const Dataset<double> data = regression<double>(20, 5, 2, "data");
  for (const OptimizerOptions& optimizer : kOptimizers)
    for (const bool bias : {false, true})
      for (const Initialization initialization :
           {Initialization::pytorch_default, Initialization::ntk, Initialization::mup}) {
        MlpOptions options;
        options.hidden_layers = {8, 6};
        options.bias = bias;
        options.initialization = initialization;
        options.output_scale = 0.25;
        const Mlp<double> initial(5, 2, options, kStream.named("network"));
        CHECK(difference_from_autograd(initial, data, options_of(3, 7, optimizer)) < 1e-11);
      }
}

TEST_CASE("a full batch, whole or in parts, is one step an epoch on all rows") {
  for (const Index n : {Index{30}, Index{5000}}) {  // the second is more than passes through the network at once
    const Dataset<double> data = regression<double>(n, 3, 2, "data");
    for (const OptimizerOptions& optimizer : kOptimizers) {
      const Mlp<double> initial = network<double>(3, 2, {6}, Activation::relu, true);
      CHECK(difference_from_autograd(initial, data, options_of(5, 0, optimizer)) < 1e-11);
    }
  }
  const Dataset<double> data = regression<double>(4200, 3, 1, "data");
  const Mlp<double> linear = network<double>(3, 1, {});
  CHECK(difference_from_autograd(linear, data, options_of(3, 4150, sgd(0.1))) < 1e-11);
}

TEST_CASE("steps on the cross-entropy equal those of autograd with torch::optim, also of a batch in parts") {
  const Dataset<double> data = classification<double>(20, 5, 3, "classes");
  for (const OptimizerOptions& optimizer : kOptimizers)
    for (const Activation activation : {Activation::relu, Activation::gelu, Activation::linear})
      for (const bool bias : {false, true}) {
        TrainOptions options = options_of(3, 7, optimizer);
        options.loss = Loss::cross_entropy;
        const Mlp<double> initial = network<double>(5, 3, {8, 6}, activation, bias);
        CHECK(difference_from_autograd(initial, data, options) < 1e-11);
      }
  TrainOptions full = options_of(3, 0, sgd(0.5, 0.9));
  full.loss = Loss::cross_entropy;
  const Dataset<double> many = classification<double>(5000, 3, 2, "classes");
  CHECK(difference_from_autograd(network<double>(3, 2, {6}), many, full) < 1e-11);
}

TEST_CASE("on the cross-entropy the history holds it in place of squared errors, and huge logits stay finite") {
  const Dataset<float> data = classification<float>(200, 5, 3, "classes"),
                       validation = classification<float>(100, 5, 3, "validation classes");
  TrainOptions options = options_of(30, 20, sgd(0.2));
  options.loss = Loss::cross_entropy;
  options.evaluate_every = 2;
  const TrainState<float> state =
      train(TrainState<float>(network<float>(5, 3, {40})), data, validation, options, kStream);
  const std::vector<EpochRecord>& history = state.history();
  CHECK(history.front().train_loss == Approx(std::log(3.0)).epsilon(0.1));
  CHECK(history.back().train_loss < 0.9 * history.front().train_loss);
  const Metrics now = evaluate<float>(state.current(), data, Loss::cross_entropy);
  CHECK(*history.back().train->cross_entropy == Approx(*now.cross_entropy).epsilon(1e-6));
  CHECK(history.back().train_loss == *history.back().train->cross_entropy);
  CHECK(std::isnan(history.back().train->mse));
  // An epoch that is not evaluated has the mean over its batches, which lies between its neighbours' but for noise.
  CHECK_FALSE(history[3].train);
  CHECK(history[3].train_loss == Approx(history[4].train_loss).epsilon(0.2));
  const Metrics best = evaluate<float>(state.best(), validation, Loss::cross_entropy);
  for (const EpochRecord& r : history)
    if (r.validation) CHECK(at_least_as_good(best, *r.validation));

  const Mlp<float> confident({Matrix<float>(Matrix<float>::Identity(3, 5) * 1e4f)});
  options.optimizer.learning_rate = 1e-3;
  const TrainState<float> trained = train(TrainState<float>(confident), data, {}, options, kStream);
  CHECK(std::isfinite(trained.history().back().train_loss));
}

TEST_CASE("a training on the cross-entropy goes on to the same bits after save and load, and on no other loss") {
  const Dataset<float> data = classification<float>(50, 6, 3, "classes"),
                       validation = classification<float>(20, 6, 3, "validation classes");
  const TemporaryFolder folder;
  const Mlp<float> initial = network<float>(6, 3, {10, 8}, Activation::silu, true);
  const auto options = [](Index epochs, Loss loss) {
    TrainOptions o = options_of(epochs, 16, adamw(0.01, 0.1));
    o.loss = loss;
    return o;
  };
  const TrainState<float> whole =
      train(TrainState<float>(initial), data, validation, options(8, Loss::cross_entropy), kStream);
  train(TrainState<float>(initial), data, validation, options(3, Loss::cross_entropy), kStream).save(folder / "state");
  const TrainState<float> resumed = train(TrainState<float>::load(folder / "state", initial), data, validation,
                                          options(8, Loss::cross_entropy), kStream);
  CHECK(same_parameters(resumed.current(), whole.current()));
  CHECK(same_parameters(resumed.best(), whole.best()));
  CHECK(resumed.best_epoch() == whole.best_epoch());
  for (std::size_t i = 0; i < whole.history().size(); ++i)
    CHECK(resumed.history()[i].validation->cross_entropy == whole.history()[i].validation->cross_entropy);
  const auto on_mse = [&] {
    train(TrainState<float>::load(folder / "state", initial), data, validation, options(8, Loss::mse), kStream);
  };
  CHECK(contains(message_of<ConfigError>(on_mse), "`loss`"));
}

TEST_CASE("a training that was saved and loaded goes on to the same bits") {
  Dataset<float> data = regression<float>(50, 6, 3, "data"), validation = regression<float>(20, 6, 3, "validation");
  data.target_scaling = {Vector<double>::Zero(3), Vector<double>::LinSpaced(3, 1, 1e3)};
  validation.target_scaling = data.target_scaling;
  const RandomStream stream = kStream.named("training");
  const TemporaryFolder folder;
  for (const OptimizerOptions& optimizer : kOptimizers) {
    const Mlp<float> initial = network<float>(6, 3, {10, 8}, Activation::relu, true);
    const TrainState<float> whole =
        train(TrainState<float>(initial), data, validation, options_of(10, 16, optimizer), stream);
    TrainState<float> part = train(TrainState<float>(initial), data, validation, options_of(4, 16, optimizer), stream);
    part.save(folder / "state");
    TrainState<float> loaded = TrainState<float>::load(folder / "state", initial);
    CHECK(loaded.epoch() == 4);
    CHECK(same_parameters(loaded.current(), part.current()));
    CHECK(same_parameters(loaded.best(), part.best()));
    CHECK(loaded.best_epoch() == part.best_epoch());

    const TrainState<float> resumed = train(std::move(loaded), data, validation, options_of(10, 16, optimizer), stream);
    CHECK(same_parameters(resumed.current(), whole.current()));
    CHECK(same_parameters(resumed.best(), whole.best()));
    CHECK(resumed.best_epoch() == whole.best_epoch());
    REQUIRE(resumed.history().size() == whole.history().size());
    for (std::size_t i = 0; i < whole.history().size(); ++i) {
      const EpochRecord &a = resumed.history()[i], &b = whole.history()[i];
      CHECK(a.epoch == b.epoch);
      CHECK(a.train_loss == b.train_loss);
      CHECK(a.train->r2 == b.train->r2);
      CHECK(a.validation->mse == b.validation->mse);
      CHECK(a.validation->standardized_mse.value() == b.validation->standardized_mse.value());
      CHECK(a.validation->r2_by_output == b.validation->r2_by_output);
    }
    for (std::size_t i = 1; i < whole.history().size(); ++i)
      CHECK(resumed.history()[i].seconds >= resumed.history()[i - 1].seconds);
  }
}

TEST_CASE("the same seed gives the same bits, another seed another network") {
  const Dataset<float> data = regression<float>(300, 20, 3, "data");
  const auto run = [&](const char* seed) {
    return train(TrainState<float>(network<float>(20, 3, {128, 64})), data, {}, options_of(3, 32), kStream.named(seed))
        .current();
  };
  CHECK(same_parameters(run("a"), run("a")));
  CHECK_FALSE(same_parameters(run("a"), run("b")));
}

TEST_CASE("the reported network is that of the best validation epoch") {
  const Dataset<double> data = regression<double>(30, 6, 1, "data"),
                        validation = regression<double>(200, 6, 1, "validation");
  TrainOptions options = options_of(40, 10, sgd(0.1));
  const Mlp<double> initial = network<double>(6, 1, {50});
  const TrainState<double> state = train(TrainState<double>(initial), data, validation, options, kStream);
  REQUIRE(state.history().size() == 41);
  Index best = 0;
  for (const EpochRecord& r : state.history())
    if (r.validation->mse <= state.history()[static_cast<std::size_t>(best)].validation->mse) best = r.epoch;
  CHECK(best > 0);
  CHECK(best < 40);  // it overfits: else this test says nothing
  CHECK(state.best_epoch() == best);
  CHECK(evaluate<double>(state.best(), validation).mse ==
        Approx(state.history()[static_cast<std::size_t>(best)].validation->mse).epsilon(1e-12));
  CHECK_FALSE(same_parameters(state.best(), state.current()));
  CHECK(state.first_layer() == state.current().weight(1));

  options.keep_best = false;
  const TrainState<double> last = train(TrainState<double>(initial), data, validation, options, kStream);
  CHECK(last.best_epoch() == 40);
  CHECK(same_parameters(last.best(), state.current()));
}

TEST_CASE("equal validation results go to the later epoch") {
  const Dataset<double> data = regression<double>(10, 4, 2, "data");
  Dataset<double> validation = regression<double>(10, 4, 2, "validation");
  validation.inputs.setZero();  // every bias-free network gives 0
  const TrainState<double> state =
      train(TrainState<double>(network<double>(4, 2, {5})), data, validation, options_of(3, 5), kStream);
  CHECK(state.best_epoch() == 3);
}

TEST_CASE("history: losses, what is evaluated, and stopping") {
  const Dataset<double> data = regression<double>(23, 4, 2, "data");
  const Mlp<double> initial = network<double>(4, 2, {5});
  const double initial_loss = (initial.predict(data.inputs) - data.targets).squaredNorm() / (23 * 2);

  // With hardly a step, the running mean over batches of unequal size is the loss of the initial network.
  TrainOptions options = options_of(7, 5, sgd(1e-13));
  options.evaluate_every = 3;
  std::vector<Index> called;
  const auto note = [&](const EpochRecord& r, const TrainState<double>& state) {
    called.push_back(r.epoch);
    CHECK(state.epoch() == r.epoch);
    return true;
  };
  const TrainState<double> state = train<double>(TrainState<double>(initial), data, {}, options, kStream, note);
  CHECK(called == std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7});
  for (const EpochRecord& r : state.history()) {
    CHECK(r.train.has_value() == (r.epoch % 3 == 0 || r.epoch == 7));
    CHECK_FALSE(r.validation.has_value());
    CHECK(r.train_loss == Approx(initial_loss).epsilon(1e-9));
  }
  CHECK(state.best_epoch() == 7);

  // At equal training error: the first evaluated epoch that reaches it, the same when the training is taken up again.
  TrainOptions until = options_of(400, 5, sgd(0.005));
  until.evaluate_every = 3;
  until.stop_at_train_loss = 0.8 * initial_loss;
  const TrainState<double> reached = train<double>(TrainState<double>(initial), data, {}, until, kStream);
  const std::vector<EpochRecord>& course = reached.history();
  REQUIRE(course.size() > 4);
  CHECK(course.size() < 400);
  CHECK(course.back().epoch % 3 == 0);
  CHECK(course.back().train_loss <= until.stop_at_train_loss);
  CHECK(course[course.size() - 4].train_loss > until.stop_at_train_loss);
  const Matrix<double> weights = reached.first_layer();
  const TemporaryFolder folder;
  reached.save(folder / "state");
  const TrainState<double> again =
      train<double>(TrainState<double>::load(folder / "state", initial), data, {}, until, kStream);
  CHECK(again.epoch() == course.back().epoch);
  CHECK(again.first_layer() == weights);

  const auto stop_at_2 = [](const EpochRecord& r, const TrainState<double>&) { return r.epoch < 2; };
  const TrainState<double> stopped = train<double>(TrainState<double>(initial), data, {}, options, kStream, stop_at_2);
  CHECK(stopped.epoch() == 2);
}

TEST_CASE("training lowers the loss of the paper's product task to nearly nothing") {
  MlpOptions options;
  options.hidden_layers = {256};
  options.first_layer_std = 1e-2;
  const Dataset<float> data = product_task(200, 10);
  const TrainState<float> state =
      train(TrainState<float>(Mlp<float>(10, 1, options, kStream)), data, {}, options_of(600, 0, sgd(0.1)), kStream);
  CHECK(state.history().front().train_loss == Approx(1).epsilon(0.1));
  CHECK(state.history().back().train_loss < 0.05);
}

TEST_CASE("a training that diverges stops with epoch, rate and advice") {
  // Default initialisation at learning rate 0.1 diverges on this task (the paper starts from a small first layer).
  const Dataset<float> data = product_task(200, 30);
  const auto run = [&](double rate, Index batch) {
    train(TrainState<float>(network<float>(30, 1, {1024})), data, {}, options_of(500, batch, sgd(rate)), kStream);
  };
  for (const Index batch : {0, 4}) {
    const std::string message = message_of<NumericalError>([&] { run(0.1, batch); });
    CAPTURE(message);
    CHECK(contains(message, "epoch"));
    CHECK(contains(message, "rate 0.1"));
    CHECK(contains(message, "first_layer_std"));
  }
}

TEST_CASE("training refuses what float32 does not hold before the first step") {
  const Dataset<float> data = regression<float>(10, 4, 2, "data");
  const auto refused = [&](auto change, const char* key) {
    TrainOptions options = options_of(1, 5, sgd(0.1, 0.5, 0.1));
    change(options.optimizer);
    CHECK(contains(message_of<ConfigError>(
                       [&] { train(TrainState<float>(network<float>(4, 2, {5})), data, {}, options, kStream); }),
                   key));
  };
  refused([](OptimizerOptions& o) { o.learning_rate = 1e39; }, "learning_rate");
  refused([](OptimizerOptions& o) { o.learning_rate = 1e-60; }, "learning_rate");
  refused([](OptimizerOptions& o) { o.weight_decay = 1e39; }, "weight_decay");
  refused([](OptimizerOptions& o) { o.momentum = 1 - 1e-9; }, "momentum");
  refused([](OptimizerOptions& o) { o.epsilon = 1e-60; }, "epsilon");
}

TEST_CASE("training refuses options and data that make no sense") {
  const Dataset<double> data = regression<double>(10, 4, 2, "data");
  const auto run = [&](const TrainOptions& options, const Dataset<double>& set, const Dataset<double>& validation) {
    train(TrainState<double>(network<double>(4, 2, {5})), set, validation, options, kStream);
  };
  const auto refused = [&](auto change, const char* key) {
    TrainOptions options = options_of(1, 5);
    change(options);
    CHECK(contains(message_of<ConfigError>([&] { run(options, data, {}); }), key));
  };
  refused([](TrainOptions& o) { o.optimizer.learning_rate = 0; }, "learning_rate");
  refused([](TrainOptions& o) { o.optimizer.learning_rate = std::nan(""); }, "learning_rate");
  refused([](TrainOptions& o) { o.optimizer.momentum = 1; }, "momentum");
  refused([](TrainOptions& o) { o.optimizer.weight_decay = -1; }, "weight_decay");
  refused([](TrainOptions& o) { o.optimizer.beta1 = 1; }, "beta1");
  refused([](TrainOptions& o) { o.optimizer.beta2 = -0.1; }, "beta2");
  refused([](TrainOptions& o) { o.optimizer.epsilon = 0; }, "epsilon");
  refused([](TrainOptions& o) { o.batch_size = -1; }, "batch_size");
  refused([](TrainOptions& o) { o.epochs = -1; }, "epochs");
  refused([](TrainOptions& o) { o.evaluate_every = 0; }, "evaluate_every");
  if (!cuda_available()) refused([](TrainOptions& o) { o.device = Device::cuda; }, "cuda");

  const TrainOptions options = options_of(1, 5);
  CHECK_THROWS_AS(run(options, {}, {}), DataError);
  CHECK_THROWS_AS(run(options, regression<double>(10, 3, 2, "data"), {}), DataError);
  CHECK_THROWS_AS(run(options, data, regression<double>(10, 4, 1, "data")), DataError);

  TrainState<double> state = train(TrainState<double>(network<double>(4, 2, {5})), data, {}, options, kStream);
  CHECK_THROWS_AS(train(std::move(state), data, {}, options_of(2, 5, adam(0.01)), kStream), ConfigError);
}

TEST_CASE("training states that are damaged or of another network are refused") {
  const Dataset<double> data = regression<double>(10, 4, 2, "data");
  const Mlp<double> initial = network<double>(4, 2, {5});
  const TrainState<double> state = train(TrainState<double>(initial), data, {}, options_of(2, 5, adam(0.01)), kStream);
  const TemporaryFolder folder;
  const auto path = folder / "state";
  state.save(path);
  const std::string bytes = read_file(path);
  const auto refused = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
    CHECK_THROWS_AS(TrainState<double>::load(path, initial), DataError);
  };
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1})
    refused(bytes.substr(0, size));
  refused(bytes + "x");
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    if (bytes[at] == ' ') continue;  // padding of the header may be any white space
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    CAPTURE(at);
    refused(flipped);
  }
  std::ofstream(path, std::ios::binary) << bytes;
  CHECK(TrainState<double>::load(path, initial).epoch() == 2);
  CHECK_THROWS_AS(TrainState<double>::load(path, network<double>(4, 2, {6})), DataError);
  CHECK_THROWS_AS(TrainState<double>::load(path, network<double>(4, 2, {5}, Activation::tanh)), DataError);
  CHECK_THROWS_AS(TrainState<float>::load(path, network<float>(4, 2, {5})), DataError);
  CHECK_THROWS_AS(TrainState<double>::load(folder / "absent", initial), DataError);
}

TEST_CASE("training on CUDA gives the CPU's parameters", "[cuda]") {
  if (!cuda_available()) {
    WARN("skipped: no CUDA device");
    return;
  }
  const Dataset<double> data = regression<double>(5000, 6, 3, "data");
  const Mlp<double> initial = network<double>(6, 3, {10, 8}, Activation::relu, true);
  for (const OptimizerOptions& optimizer : kOptimizers)
    for (const Index batch : {0, 700}) {
      TrainOptions options = options_of(3, batch, optimizer);
      const Mlp<double> here = train(TrainState<double>(initial), data, data, options, kStream).best();
      options.device = Device::cuda;
      const Mlp<double> there = train(TrainState<double>(initial), data, data, options, kStream).best();
      CHECK(there.device() == Device::cuda);
      CHECK((here.weight(1) - there.weight(1)).cwiseAbs().maxCoeff() < 1e-10);
    }
}
