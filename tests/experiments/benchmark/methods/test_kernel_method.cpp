// The methods rfm and kernel against fits made one by one.
#include <cmath>

#include "core/base/error.h"
#include "experiments/benchmark/methods/method_table.h"
#include "rfm/rfm.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

/// Of two classes by the sign of a product of the first two of `d` inputs, or that product itself.
Dataset<double> rows_of(Index n, std::uint64_t seed, Task task) {
  RandomStream stream(seed);
  Dataset<double> data;
  data.inputs = stream.normal_matrix<double>(n, 5);
  const Vector<double> y = data.inputs.col(0).array() * data.inputs.col(1).array() + 0.5 * data.inputs.col(0).array();
  data.task = task;
  if (task == Task::regression) {
    data.targets = 30 * y.array() + 200;
    return data;
  }
  data.class_names = {"minus", "plus"};
  data.targets = Matrix<double>::Zero(n, 2);
  for (Index i = 0; i < n; ++i) data.targets(i, y[i] > 0) = 1;
  return data;
}

Config config_of(const std::string& method) {
  return Config::from_string("benchmark: {methods: [" + method + "]}\n", "c.yaml");
}

NamedMethod method_of(const std::string& text, Precision precision = Precision::float64) {
  return parse_methods(config_of(text), precision).front();
}

const std::string kSmall =
    "{kind: rfm, bandwidth: 5, iterations: 2, tune: {ridge: [1, 0.01], scaling: [unit_norm, none], feature_matrix: "
    "[full, diagonal]}}";

Split<double> split_of(Dataset<double> train, Dataset<double> validation, bool unit_norm) {
  for (Dataset<double>* part : {&train, &validation})
    if (unit_norm) part->inputs.rowwise().normalize();
  Split<double> split;
  split.train = std::move(train);
  split.validation = std::move(validation);
  return split;
}

rfm::RfmOptions options_of(double ridge, bool diagonal, Index iterations) {
  rfm::RfmOptions options;
  options.kernel.bandwidth = 5;
  options.solver.ridge = ridge;
  options.gradients.diagonal = diagonal;
  options.iterations = iterations;
  return options;
}

}  // namespace

TEST_CASE("an RFM's search takes the first best of every cell and iteration", "[benchmark]") {
  const Dataset<double> fit = rows_of(80, 1, Task::classification), selection = rows_of(60, 2, Task::classification);
  const MethodChoice choice = method_of(kSmall).method->search(fit, selection, RandomStream(3));
  double best = -1;
  Index cell = 0, best_cell = 0, best_iteration = 0;
  FeatureMatrix<double> features;
  for (const double ridge : {1.0, 0.01})
    for (const bool unit_norm : {true, false})
      for (const bool diagonal : {false, true}) {
        const auto trace = rfm::fit_rfm<double>(split_of(fit, selection, unit_norm), options_of(ridge, diagonal, 2),
                                                RandomStream(3).named("rfm"));
        double own = -1;
        for (Index t = 0; t <= 2; ++t) {
          const double accuracy = *trace.iterations[static_cast<std::size_t>(t)].validation->accuracy;
          own = std::max(own, accuracy);
          if (accuracy <= best) continue;
          best = accuracy;
          best_cell = cell;
          best_iteration = t;
          features = trace.feature_matrices[static_cast<std::size_t>(t)];
        }
        CHECK(*choice.tuning.cells[static_cast<std::size_t>(cell)].validation->accuracy == own);
        ++cell;
      }
  CHECK(choice.tuning.chosen == best_cell);
  CHECK(choice.iteration == best_iteration);
  REQUIRE(best_iteration > 0);
  REQUIRE(choice.features);
  CHECK((choice.features->to_dense() - features.to_dense()).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("an RFM is fitted anew, or with the features that it is given", "[benchmark]") {
  const Dataset<double> fit = rows_of(80, 1, Task::classification), selection = rows_of(60, 2, Task::classification),
                        train = rows_of(70, 4, Task::classification), test = rows_of(40, 5, Task::classification);
  const NamedMethod method = method_of("{kind: rfm, bandwidth: 5, iterations: 2, ridge: 0.01}");
  MethodChoice choice = method.method->search(fit, selection, RandomStream(3));
  choice.iteration = 2;
  choice.features = FeatureMatrix<double>::diagonal_form(Vector<double>{{2, 1, 0.5, 0, 0}});
  const MethodFit anew = method.method->fit_predict(choice, train, test.inputs, false, RandomStream(6));
  const auto trace =
      rfm::fit_rfm<double>(split_of(train, {}, false), options_of(0.01, false, 2), RandomStream(6).named("rfm"));
  CHECK((anew.predictions - trace.machines[2].predict(test.inputs)).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE(anew.features);
  CHECK((anew.features->to_dense() - trace.feature_matrices[2].to_dense()).cwiseAbs().maxCoeff() < 1e-12);
  const MethodFit kept = method.method->fit_predict(choice, train, test.inputs, true, RandomStream(6));
  Dataset<double> stretched = train;
  Matrix<double> stretched_test = test.inputs;
  for (Matrix<double>* x : {&stretched.inputs, &stretched_test})
    *x = (*x * Vector<double>{{std::sqrt(2.0), 1, std::sqrt(0.5), 0, 0}}.asDiagonal()).eval();
  const auto plain = rfm::fit_rfm<double>(split_of(stretched, {}, false), options_of(0.01, false, 0), RandomStream(6));
  CHECK((kept.predictions - plain.machines[0].predict(stretched_test)).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("a fixed kernel is an RFM without updates, and learns no features", "[benchmark]") {
  const Dataset<double> fit = rows_of(50, 1, Task::regression), test = rows_of(30, 2, Task::regression);
  const NamedMethod fixed = method_of("{kind: kernel, kernel: gaussian, bandwidth: 2, ridge: 0.1}"),
                    rfm = method_of("{kind: rfm, kernel: gaussian, bandwidth: 2, ridge: 0.1, iterations: 0}");
  CHECK_FALSE(fixed.method->learns_features());
  CHECK_FALSE(rfm.method->learns_features());
  CHECK(method_of(kSmall).method->learns_features());
  const auto predicted = [&](const NamedMethod& method) {
    const MethodChoice choice = method.method->search(fit, test, RandomStream(1));
    CHECK_FALSE(choice.features);
    return method.method->fit_predict(choice, fit, test.inputs, false, RandomStream(1)).predictions;
  };
  CHECK(predicted(fixed) == predicted(rfm));
}

TEST_CASE("a kernel machine predicts a regression in its own unit, with and without a logarithm", "[benchmark]") {
  const Dataset<double> fit = rows_of(400, 1, Task::regression), test = rows_of(100, 2, Task::regression);
  const NamedMethod method = method_of(
      "{kind: rfm, bandwidth: 10, ridge: 0.001, iterations: 3, tune: {target_transform: [none, signed_log]}}");
  const MethodChoice choice = method.method->search(fit, test, RandomStream(1));
  for (const TuningCell& cell : choice.tuning.cells) {
    INFO(cell.values.front());
    REQUIRE(cell.validation);
    CHECK(cell.validation->r2 > 0.7);
  }
  const MethodFit fitted = method.method->fit_predict(choice, fit, test.inputs, false, RandomStream(1));
  CHECK(evaluate(fitted.predictions, test).r2 == Approx(choice.tuning.chosen_cell().validation->r2).epsilon(1e-6));
}

TEST_CASE("a fold whose coefficients float32 cannot hold is fitted in float64", "[benchmark]") {
  Dataset<double> train = rows_of(300, 7, Task::classification);
  train.inputs *= 1e-4;  // hardly different inputs, and classes that change from one to the next
  const Matrix<double> asked = rows_of(20, 8, Task::classification).inputs * 1e-4;
  MethodChoice choice;
  choice.tuning.chosen = 0;
  const std::string text = "{kind: kernel, kernel: laplace, bandwidth: 10, ridge: 1.0e-5}";
  const auto predictions = [&](const Dataset<double>& rows, const Matrix<double>& inputs, Precision precision) {
    return method_of(text, precision).method->fit_predict(choice, rows, inputs, false, RandomStream(1)).predictions;
  };
  CHECK(predictions(train, asked, Precision::float32) == predictions(train, asked, Precision::float64));
  const Dataset<double> easy = rows_of(40, 7, Task::classification);  // this it can
  CHECK(predictions(easy, asked, Precision::float32) != predictions(easy, asked, Precision::float64));
}

TEST_CASE("a method's section is read strictly, cell by cell", "[benchmark]") {
  const auto refused = [](const std::string& method) {
    return message_of<ConfigError>([&] { parse_methods(config_of(method), Precision::float32); });
  };
  CHECK_THAT(refused("{kind: rfn}"), Catch::Contains("did you mean rfm?"));
  CHECK_THAT(refused("{name: a}"), Catch::Contains("benchmark.methods.0.kind: is needed"));
  CHECK_THAT(refused("{kind: rfm}, {kind: rfm}"), Catch::Contains("\"rfm\" is taken"));
  CHECK_THAT(refused("{kind: rfm, tune: {ridge: [1, -1]}}"), Catch::Contains("(with ridge=-1)"));
  CHECK_THAT(refused("{kind: rfm, tune: {rigde: [1, 2]}}"), Catch::Contains("did you mean ridge?"));
  CHECK_THAT(refused("{kind: rfm, tune: {kind: [rfm, kernel]}}"), Catch::Contains("no option of a method"));
  CHECK_THAT(message_of<ConfigError>([&] { parse_methods(Config::from_string("seed: 1\n"), Precision::float32); }),
             Catch::Contains("benchmark.methods") && Catch::Contains("is needed"));
  const Config config = config_of(kSmall);
  CHECK(parse_methods(config, Precision::float32).front().method->cells() == 8);
  config.finish();
}
