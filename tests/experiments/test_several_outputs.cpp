// Regression on outputs in units of their own: no unit decides what is reported or chosen.
#include <cmath>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;
using Json = nlohmann::ordered_json;

namespace {

/// A smooth function that is easily fitted, and one that is mostly noise, in these units.
Matrix<double> outputs(const Matrix<double>& x, const Matrix<double>& noise, double first, double second) {
  Matrix<double> y(x.rows(), 2);
  y.col(0) = (x.col(0) + 0.5 * x.col(1)).array().sin() * (1.4 * first);
  y.col(1) = (0.5 * x.col(2) + noise.col(0)) * second;
  return y;
}

/// The run's metrics.json.
Json run(const Workspace& work, const std::string& out, double first, double second) {
  RandomStream random(5);
  const auto x = random.normal_matrix<double>(160, 5), tx = random.normal_matrix<double>(60, 5);
  const auto noise = random.normal_matrix<double>(160, 1), test_noise = random.normal_matrix<double>(60, 1);
  write_npy<double>(work.path() / "x.npy", x);
  write_npy<double>(work.path() / "tx.npy", tx);
  write_npy<double>(work.path() / "y.npy", outputs(x, noise, first, second));
  write_npy<double>(work.path() / "ty.npy", outputs(tx, test_noise, first, second));
  work.write("a.yaml",
             "dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: tx.npy, test_targets: "
             "ty.npy, target_scaling: standardize}\n"
             "precision: float64\n"
             "network: {hidden_layers: [64], batch_size: 16, epochs: 60, optimizer: {name: sgd, learning_rate: 0.2}}\n"
             "rfm: {bandwidth: 3, iterations: 4, ridge: 1.0e-3}\n"
             "kernel_machines: [{label: plain, bandwidth: 3}]\n"
             "tune: {kernel_machines.plain.ridge: [1.0e-3, 1.0e-2, 0.1, 1, 10]}\n"
             "save: {images: false}\n");
  const ProgramResult result = work.run({"run", "a.yaml", "--out", out});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.out, "(The R² of a model is the mean over the 2 outputs.)"));
  return work.metrics(out);
}

/// The epoch or iteration whose validation score of that name is least, the last of equal ones.
Json least(const Json& steps, const char* step, const char* score) {
  const Json* best = nullptr;
  for (const Json& at : steps)
    if (at.contains("validation") &&
        (best == nullptr || at["validation"][score].get<double>() <= (*best)["validation"][score].get<double>()))
      best = &at;
  return best->at(step);
}

double r2(const Matrix<double>& predictions, const Matrix<double>& targets, Index j) {
  const Vector<double> y = targets.col(j);
  return 1 - (predictions.col(j) - y).squaredNorm() / (y.array() - y.mean()).square().sum();
}

}  // namespace

TEST_CASE("outputs in units of their own count the same in R², in the best epoch and iteration, and in tune") {
  const Workspace work;
  const Json equal = run(work, "equal", 1, 1), late = run(work, "late", 1e-3, 1e5), early = run(work, "early", 1e5, 1);
  const Matrix<double> targets = read_npy<double>(work.path() / "ty.npy");
  for (const Json* other : {&late, &early}) {
    CHECK((*other)["tuning"]["chosen"] == equal["tuning"]["chosen"]);
    CHECK((*other)["models"]["network"]["reported_epoch"] == equal["models"]["network"]["reported_epoch"]);
    CHECK((*other)["models"]["rfm"]["reported_iteration"] == equal["models"]["rfm"]["reported_iteration"]);
    for (const char* model : {"network", "rfm", "plain"}) {
      const Json &here = (*other)["models"][model]["test"], &there = equal["models"][model]["test"];
      for (const char* score : {"r2", "standardized_mse"})
        CHECK(here[score].get<double>() == Approx(there[score].get<double>()).epsilon(1e-6));
    }
  }
  for (const char* model : {"network", "rfm", "plain"}) {
    const Json& test = early["models"][model]["test"];
    const auto file = work.path() / "early/predictions" / (std::string(model) + ".test.npy");
    const Matrix<double> predictions = read_npy<double>(file);
    for (Index j = 0; j < 2; ++j)
      CHECK(test["r2_by_output"][static_cast<std::size_t>(j)].get<double>() ==
            Approx(r2(predictions, targets, j)).margin(1e-9));
    CHECK(test["r2"].get<double>() == Approx((r2(predictions, targets, 0) + r2(predictions, targets, 1)) / 2));
    CHECK(test["mse"].get<double>() == Approx((predictions - targets).squaredNorm() / 120));
  }
  int otherwise = 0;  // what the pooled errors would have chosen differently: at least something, or this test is idle
  for (const Json* one : {&late, &early}) {
    const Json &network = (*one)["models"]["network"], &rfm = (*one)["models"]["rfm"];
    CHECK(network["reported_epoch"] == least(network["per_epoch"], "epoch", "standardized_mse"));
    CHECK(rfm["reported_iteration"] == least(rfm["per_iteration"], "iteration", "standardized_mse"));
    otherwise += network["reported_epoch"] != least(network["per_epoch"], "epoch", "mse");
    otherwise += rfm["reported_iteration"] != least(rfm["per_iteration"], "iteration", "mse");
  }
  CHECK(otherwise > 0);
  CHECK(contains(work.read("early/report.html"), "R² of each output, test rows"));
}
