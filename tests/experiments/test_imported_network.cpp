// Networks trained elsewhere, in whole runs: what they were read as, and the check against what they give elsewhere.
#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/test_model.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

const std::string kReading =
    "5–6–3, relu assumed, biases in every layer, from keys fc1, fc2; folded in: batch normalisation bn1 (before the "
    "activation, eps 1e-05 assumed)";

/// A model with biases and a batch normalisation as net.safetensors, data for it, and what it gives.
class Run {
 public:
  Run() {
    model.linear("fc1", 6, 5);
    model.batch_norm("bn1", 6);
    model.linear("fc2", 3, 6);
    work.write("net.safetensors", safetensors_file(model.tensors));
    for (const std::string set : {"", "t"}) {
      const Matrix<float> x = RandomStream(1).named(set).normal_matrix<float>(set.empty() ? 40 : 20, 5);
      write_npy<float>(work.path() / ("x" + set + ".npy"), x);
      write_npy<float>(work.path() / ("y" + set + ".npy"), outputs(x));
    }
    write_npy<float>(work.path() / "ft.npy", outputs(read_npy<float>(work.path() / "xt.npy")));
  }

  Matrix<float> outputs(const Matrix<float>& x) const {
    Matrix<float> f(x.rows(), 3);
    for (Index i = 0; i < x.rows(); ++i) {
      const auto y = model({x.row(i).begin(), x.row(i).end()}, {"fc1", "bn1", "relu", "fc2"});
      for (Index c = 0; c < 3; ++c) f(i, c) = static_cast<float>(y[static_cast<std::size_t>(c)]);
    }
    return f;
  }

  ProgramResult operator()(const std::string& command, const std::string& keys) const {
    work.write(
        "c.yaml",
        "dataset: {name: arrays, task: regression, train_inputs: x.npy, train_targets: y.npy, test_inputs: xt.npy, "
        "test_targets: yt.npy}\nnetwork: {checkpoint: net.safetensors, train: false" +
            keys + "}\n");
    if (command == "plan") return work.run({"plan", "c.yaml"});
    std::filesystem::remove_all(work.path() / "out");
    return work.run({"run", "c.yaml", "--out", "out"});
  }

  TestModel model;
  Workspace work;
};

}  // namespace

TEST_CASE(
    "an imported network: what it was read as is said on the terminal, by plan, in metrics.json and in the report") {
  const Run run;
  const ProgramResult plan = run("plan", ", batch_norm: before_activation");
  REQUIRE(plan.exit_code == 0);
  CHECK(contains(plan.out, "network: read as " + kReading + "\n"));
  const ProgramResult result = run("run", ", batch_norm: before_activation");
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.err, "network: read as " + kReading + "\n"));
  const auto network = run.work.metrics("out").at("models").at("network");
  CHECK(network.at("read_as") == kReading);
  CHECK(network.at("test").at("mse").get<double>() < 1e-9);  // its own outputs are the targets
  CHECK(contains(run.work.read("out/report.html"), "read as " + kReading.substr(0, kReading.find("eps"))));
}

TEST_CASE("an imported network: an activation that was assumed is warned of until it is named or checked") {
  const Run run;
  const std::string said =
      "network: read with the activation relu, which its file does not say and nothing has checked";
  const std::string place = ", batch_norm: before_activation";
  const ProgramResult loud = run("run", place);
  REQUIRE(loud.exit_code == 0);
  CHECK(contains(loud.err, "warning: " + said));
  CHECK(contains(run.work.metrics("out").at("warnings").at(0).get<std::string>(), said));
  const std::string report = run.work.read("out/report.html");
  REQUIRE(contains(report, said));
  CHECK(report.find(said) < report.find("<table"));
  const ProgramResult quiet = run.work.run({"run", "c.yaml", "--out", "quiet", "--quiet"});
  CHECK(contains(quiet.err, "warning: " + said));
  CHECK(quiet.out == "");
  for (const std::string key : {", activation: relu", ", reference_outputs: ft.npy"}) {
    CAPTURE(key);
    REQUIRE(run("run", place + key).exit_code == 0);
    CHECK_FALSE(run.work.metrics("out").contains("warnings"));
    CHECK(run.work.run({"run", "c.yaml", "--out", key.substr(2, 5), "--quiet"}).err == "");
  }
}

TEST_CASE("an imported network: reference outputs check what was read") {
  const Run run;
  const std::string keys = ", batch_norm: before_activation, reference_outputs: ft.npy";
  const ProgramResult right = run("run", keys);
  INFO(right.err);
  REQUIRE(right.exit_code == 0);
  CHECK(contains(right.err, "; its outputs are those of ft.npy within "));
  const ProgramResult wrong = run("run", ", batch_norm: after_activation, reference_outputs: ft.npy");
  CHECK(wrong.exit_code == 3);
  CHECK(contains(wrong.err, "ft.npy: the network read here gives other outputs: "));
  CHECK(contains(wrong.err, "the largest difference ("));
  CHECK(contains(wrong.err, "check network.activation"));
  CHECK_FALSE(std::filesystem::exists(run.work.path() / "out"));
  CHECK(run("run", ", batch_norm: before_activation, activation: tanh, reference_outputs: ft.npy").exit_code == 3);

  // A small error in one output, and inputs of their own.
  Matrix<float> f = read_npy<float>(run.work.path() / "ft.npy");
  f(17, 2) += 0.01f;
  write_npy<float>(run.work.path() / "off.npy", f);
  const ProgramResult off = run("run", ", batch_norm: before_activation, reference_outputs: off.npy");
  CHECK(off.exit_code == 3);
  CHECK(contains(off.err, "in row 17, column 2"));
  const Matrix<float> x = RandomStream(9).normal_matrix<float>(7, 5);
  write_npy<float>(run.work.path() / "xr.npy", x);
  write_npy<float>(run.work.path() / "fr.npy", run.outputs(x));
  CHECK(run("run", ", batch_norm: before_activation, reference_inputs: xr.npy, reference_outputs: fr.npy").exit_code ==
        0);
  const ProgramResult rows = run("run", ", batch_norm: before_activation, reference_outputs: fr.npy");
  CHECK(rows.exit_code == 3);
  CHECK(contains(rows.err, "fr.npy: 7 x 3, but must be 20 x 3"));
  CHECK(contains(rows.err, "network.reference_inputs"));
  CHECK(run("plan", ", batch_norm: before_activation, reference_inputs: xr.npy").exit_code == 2);
}

TEST_CASE("an imported network: what its file leaves open is asked for by the key's name") {
  const Run run;
  for (const std::string command : {"plan", "run"}) {
    const ProgramResult asked = run(command, "");
    CHECK(asked.exit_code == 2);
    CHECK(contains(asked.err, "network.batch_norm: must say whether 'bn1'"));
    const ProgramResult unknown = run(command, ", checkpoint_key: ema");
    CHECK(unknown.exit_code == 2);
    CHECK(contains(unknown.err, "network.checkpoint_key: \"ema\""));
  }
  CHECK(run("run", ", layer_names: [fc1, bn1, fc2], batch_norm: before_activation").exit_code == 0);
  run.work.write(
      "t.yaml",
      "dataset: {name: arrays, task: regression, train_inputs: x.npy, train_targets: y.npy, test_inputs: xt.npy, "
      "test_targets: yt.npy}\nnetwork: {batch_norm: before_activation}\n");
  const ProgramResult trained = run.work.run({"plan", "t.yaml"});
  CHECK(trained.exit_code == 2);
  CHECK_THAT(trained.err, Catch::Contains("network.batch_norm") && Catch::Contains("and none is given"));
}
