// Networks whose outputs are logits: trained here on the cross-entropy, and trained elsewhere.
#include "core/base/random.h"
#include "core/data/metrics.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

/// Three classes by the largest of three inputs of eight, as x.npy, y.npy, xt.npy and yt.npy.
void write_classes(const Workspace& work) {
  const auto write = [&](const std::string& inputs, const std::string& targets, Index n, int seed) {
    const Matrix<float> x = RandomStream(static_cast<std::uint64_t>(seed)).normal_matrix<float>(n, 8);
    Matrix<float> y = Matrix<float>::Zero(n, 3);
    for (Index i = 0; i < n; ++i) {
      Index k = 0;
      x.row(i).head(3).maxCoeff(&k);
      y(i, k) = 1;
    }
    write_npy<float>(work.path() / inputs, x);
    write_npy<float>(work.path() / targets, y);
  };
  write("x.npy", "y.npy", 300, 1);
  write("xt.npy", "yt.npy", 100, 2);
}

const char* const kData =
    "dataset: {name: arrays, task: classification, train_inputs: x.npy, train_targets: y.npy, test_inputs: xt.npy, "
    "test_targets: yt.npy}\nrfm: {iterations: 2}\n";

}  // namespace

TEST_CASE("a network trained on the cross-entropy reports it, and so does the same network brought from elsewhere") {
  const Workspace work;
  write_classes(work);
  work.write("a.yaml", std::string(kData) +
                           "network: {hidden_layers: [32, 16], activation: gelu, loss: cross_entropy, epochs: 30,\n"
                           "  optimizer: {name: adamw, learning_rate: 1.0e-2}, batch_size: 32, report_epoch: last}\n");
  const ProgramResult trained = work.run({"run", "a.yaml", "--out", "a"});
  INFO(trained.err);
  REQUIRE(trained.exit_code == 0);
  const auto model = work.metrics("a").at("models").at("network");
  const auto test = model.at("test");
  CHECK_FALSE(test.contains("mse"));
  CHECK_FALSE(test.contains("r2"));
  CHECK(test.at("accuracy").get<double>() > 0.8);
  const Metrics expected =
      evaluate(read_npy<float>(work.path() / "a/predictions/network.test.npy"), read_npy<float>(work.path() / "yt.npy"),
               Task::classification, {}, Loss::cross_entropy);
  CHECK(test.at("cross_entropy").get<double>() == Approx(*expected.cross_entropy).epsilon(1e-6));
  CHECK(model.at("per_epoch").back().at("train_loss") == model.at("train").at("cross_entropy"));
  CHECK(model.at("description").get<std::string>().find("8-32-16-3 gelu") == 0);
  CHECK(contains(trained.out, "test cross-entropy " + std::to_string(*expected.cross_entropy).substr(0, 5)));
  CHECK(contains(work.read("a/report.html"), " nats"));
  CHECK_FALSE(work.metrics("a").contains("ansatz_variants_by_layer"));
  CHECK(work.metrics("a").at("models").at("rfm").at("test").contains("mse"));
  CHECK(work.metrics("a").at("data").at("validation_size") == 60);

  work.write("b.yaml", std::string(kData) +
                           "network: {checkpoint: a/models/network.safetensors, activation: gelu, "
                           "loss: cross_entropy, train: false}\n");
  CHECK(contains(work.run({"plan", "b.yaml"}).out,
                 "no validation rows: reported are the RFM after its last iteration, 2"));
  const ProgramResult imported = work.run({"run", "b.yaml", "--out", "b"});
  INFO(imported.err);
  REQUIRE(imported.exit_code == 0);
  const auto metrics = work.metrics("b");
  CHECK(metrics.at("data").at("validation_size") == 0);
  CHECK(metrics.at("models").at("network").at("test") == test);
  CHECK(metrics.at("models").at("rfm").at("reported_iteration") == 2);
  const auto layers = metrics.at("ansatz_variants_by_layer");
  REQUIRE(layers.size() == 3);
  CHECK(layers.at(0) == metrics.at("ansatz_variants"));
  CHECK(contains(imported.out, "imported, test cross-entropy"));
  CHECK(contains(work.read("b/report.html"), "<td>imported</td>"));
  CHECK(contains(work.read("b/report.html"), "Layer 3 of 3"));
}

TEST_CASE("a network of logits that is no better than the most frequent class is warned of") {
  const Workspace work;
  write_classes(work);
  // Sure of itself and mostly wrong: the class of the smallest input.
  write_npy<float>(work.path() / "W.npy", Matrix<float>(-50 * Matrix<float>::Identity(3, 8)));
  work.write("a.yaml", std::string(kData) + "network: {weights: [W.npy], train: false, loss: cross_entropy}\n");
  const ProgramResult result = work.run({"run", "a.yaml", "--out", "a", "--quiet", "--set", "rfm.iterations=1"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(contains(work.metrics("a").at("warnings").at(0).get<std::string>(),
                 "network: its accuracy on the 100 test rows"));
}

TEST_CASE("targets without a column for each class have no cross-entropy: exit 2 naming the key") {
  const Workspace work;
  const Matrix<float> x = RandomStream(1).normal_matrix<float>(50, 4);
  Matrix<float> y = (x.col(0).array() > 0).cast<float>();
  write_npy<float>(work.path() / "x.npy", x);
  write_npy<float>(work.path() / "y.npy", y);
  work.write("a.yaml",
             "dataset: {name: arrays, task: classification, train_inputs: x.npy, train_targets: y.npy, "
             "test_inputs: x.npy, test_targets: y.npy}\nnetwork: {loss: cross_entropy, epochs: 1}\n");
  const ProgramResult result = work.run({"run", "a.yaml", "--out", "a", "--quiet"});
  CHECK(result.exit_code == 2);
  CHECK(contains(result.err, "network.loss: cross_entropy needs a target column for each class"));
}
