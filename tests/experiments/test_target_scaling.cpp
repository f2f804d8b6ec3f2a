#include <fmt/format.h>

#include <sstream>

#include "core/base/random.h"
#include "core/data/metrics.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

constexpr double kMean = 545, kDeviation = 118;

struct Numbers {
  Matrix<double> x, y, test_x, test_y;
};

/// A smooth function of two of five inputs, of mean near 0 and standard deviation near 1 (so that auto leaves it).
Numbers numbers() {
  RandomStream random(5);
  const auto target = [](const Matrix<double>& x) -> Matrix<double> {
    return ((x.col(0) + 0.5 * x.col(1)).array().sin() * 1.4).matrix();
  };
  Numbers n;
  n.x = random.normal_matrix<double>(240, 5);
  n.test_x = random.normal_matrix<double>(80, 5);
  n.y = target(n.x);
  n.test_y = target(n.test_x);
  return n;
}

/// Writes the data with targets in another unit, and a config beside them.
void write(const Workspace& work, const Numbers& n, double mean, double deviation) {
  const auto in_unit = [&](const Matrix<double>& y) { return Matrix<double>((y.array() * deviation + mean).matrix()); };
  write_npy<double>(work.path() / "x.npy", n.x);
  write_npy<double>(work.path() / "y.npy", in_unit(n.y));
  write_npy<double>(work.path() / "tx.npy", n.test_x);
  write_npy<double>(work.path() / "ty.npy", in_unit(n.test_y));
  work.write("a.yaml",
             "dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: tx.npy, test_targets: "
             "ty.npy}\n"
             "precision: float64\n"
             "network: {hidden_layers: [32], batch_size: 32, epochs: 20, optimizer: {name: sgd, learning_rate: 0.1}}\n"
             "rfm: {bandwidth: 3, iterations: 2, ridge: 1.0e-3}\n"
             "kernel_machines: [{label: plain, kernel: laplace, bandwidth: 3, ridge: 1.0e-3}]\n"
             "save: {images: false, feature_matrices: all}\n"
             "report: false\n");
}

nlohmann::ordered_json run(const Workspace& work, const std::string& out, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", "a.yaml", "--quiet", "--out", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = work.run(arguments);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return work.metrics(out);
}

/// The number of that name in the last row of the model in history.csv.
double last_in_history(const Workspace& work, const std::string& out, const std::string& model,
                       const std::string& name) {
  std::istringstream lines(work.read(out + "/history.csv"));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> list;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) list.push_back(cell);
    return list;
  };
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = cells(line);
  const auto column = std::find(header.begin(), header.end(), name) - header.begin();
  double value = 0;
  while (std::getline(lines, line))
    if (line.rfind(model + ",", 0) == 0) value = std::stod(cells(line).at(static_cast<std::size_t>(column)));
  return value;
}

}  // namespace

TEST_CASE("targets far from 0 are fitted as well as their like near 0, in their own unit") {
  const Workspace work;
  const Numbers n = numbers();
  write(work, n, 0, 1);
  const auto near = run(work, "near", {"--set", "dataset.target_scaling=standardize"});
  write(work, n, kMean, kDeviation);
  const auto far = run(work, "far");
  const Matrix<double> test_y = read_npy<double>(work.path() / "ty.npy");
  for (const char* model : {"network", "rfm", "plain"}) {
    INFO(model);
    const auto &here = far.at("models").at(model).at("test"), &there = near.at("models").at(model).at("test");
    CHECK(here.at("r2").get<double>() > 0.8);
    CHECK(here.at("r2").get<double>() == Approx(there.at("r2").get<double>()).epsilon(1e-6));
    CHECK(here.at("mse").get<double>() ==
          Approx(there.at("mse").get<double>() * kDeviation * kDeviation).epsilon(1e-6));
    const Matrix<double> predictions =
        read_npy<double>(work.path() / fmt::format("far/predictions/{}.test.npy", model));
    CHECK((predictions - test_y).squaredNorm() / 80 == Approx(here.at("mse").get<double>()).epsilon(1e-9));
    CHECK(predictions.mean() == Approx(kMean).margin(40));
  }
  CHECK(far.at("data").at("target_scaling").at("kind") == "standardize");
  CHECK(far.at("data").at("target_scaling").at("mean").at(0).get<double>() == Approx(kMean).margin(20));
  CHECK(far.at("data").at("target_scaling").at("sd").at(0).get<double>() == Approx(kDeviation).margin(20));
  CHECK(last_in_history(work, "far", "rfm", "validation_mse") ==
        Approx(last_in_history(work, "near", "rfm", "validation_mse") * kDeviation * kDeviation).epsilon(1e-6));
  CHECK(last_in_history(work, "far", "network", "train_mse") ==
        Approx(last_in_history(work, "near", "network", "train_mse") * kDeviation * kDeviation).epsilon(1e-6));
  CHECK(last_in_history(work, "far", "network", "train_loss") ==
        Approx(last_in_history(work, "near", "network", "train_loss")).epsilon(1e-6));
  // M is that of the scaled targets, whatever their unit.
  const Matrix<double> m = read_npy<double>(work.path() / "far/matrices/rfm.M1.npy");
  CHECK((m - read_npy<double>(work.path() / "near/matrices/rfm.M1.npy")).norm() < 1e-6 * m.norm());
  const ProgramResult plan = work.run({"plan", "a.yaml"});
  CHECK(plan.out.find("targets standardised by mean 5") != std::string::npos);
  CHECK(plan.out.find("target_scaling: auto") != std::string::npos);
}

TEST_CASE("targets used as they came fit badly where they are far from 0, and a warning names the key") {
  const Workspace work;
  write(work, numbers(), kMean, kDeviation);
  const auto metrics = run(work, "raw",
                           {"--set", "dataset.target_scaling=none", "--set", "network.epochs=2", "--set",
                            "network.optimizer.learning_rate=1e-6"});
  CHECK_FALSE(metrics.at("data").contains("target_scaling"));
  CHECK(metrics.at("data").at("notes").dump().find("use target_scaling: standardize") != std::string::npos);
  CHECK(metrics.at("models").at("network").at("test").at("r2").get<double>() < 0);
}

TEST_CASE("an imported network's outputs are in a unit of their own") {
  const Workspace work;
  write(work, numbers(), 0, 3);
  Matrix<double> w = Matrix<double>::Zero(1, 5);
  w(0, 0) = 2;
  write_npy<double>(work.path() / "w.npy", w);
  const std::string data =
      "dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: tx.npy, test_targets: ty.npy";
  const std::string rest = "}\nprecision: float64\nnetwork: {weights: [w.npy], train: false}\nreport: false\n";
  work.write("a.yaml", data + rest);
  const auto metrics = run(work, "imported", {"--set", "save.images=false"});
  CHECK_FALSE(metrics.at("data").contains("target_scaling"));
  const Matrix<double> predictions = read_npy<double>(work.path() / "imported/predictions/network.test.npy");
  CHECK((predictions - 2 * read_npy<double>(work.path() / "tx.npy").col(0)).norm() < 1e-12);
  work.write("a.yaml", data + ", target_scaling: standardize" + rest);
  const ProgramResult refused = work.run({"run", "a.yaml", "--quiet", "--out", "refused"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("dataset.target_scaling") != std::string::npos);
}
