// The experiment in small: the network finds the neuron, the NTK lacks degree 3, degrees are learned in order.
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("separation: the NTK lacks degree 3, and degrees are learned one after another") {
  const Workspace work;
  work.write(
      "c.yaml",
      "experiment: separation\nseed: 1\n"
      "separation: {dimension: 10, sizes: [50, 200], features: [4, 64], units: 64, test_size: 1000, epochs: 100, "
      "learning_rate: 0.01, "
      "rfm_iterations: 3, trials: 2, staircase: {dimensions: [4, 6], sizes: [2, 4, 8, 16, 32, 64, 128, 256, 512], "
      "trials: 2}}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  CHECK(finding(metrics, "neuron.few_features") > 0.267);  // all but degree 1, N < d
  CHECK(finding(metrics, "neuron.few_units") < finding(metrics, "neuron.few_features"));
  CHECK(finding(metrics, "cubic.ntk") > 0.9);
  CHECK(finding(metrics, "neuron.laplace") < 0.267);
  CHECK(finding(metrics, "neuron.network") < 0.05);
  CHECK(finding(metrics, "neuron.laplace_over_rfm") > 0);
  CHECK(standard_error(metrics, "neuron.ntk_over_network") > 0);
  CHECK(finding(metrics, "degree1.exponent") < finding(metrics, "degree2.exponent"));
  CHECK(finding(metrics, "degree3.step") > 0);
  CHECK(standard_error(metrics, "degree3.growth") > 0);
  for (const char* figure : {"separation_samples", "separation_units", "staircase"})
    CHECK(std::filesystem::exists(work.path() / "r/images" / (std::string(figure) + ".svg")));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("separation: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"dimension: 2", "sizes: [100]", "features: [0, 4]", "ridge: 0", "epochs: 0",
                           "staircase: {dimensions: [2, 4]}", "staircase: {sizes: [1, 4]}", "staircase: {trials: 0}"}) {
    work.write("c.yaml", std::string("experiment: separation\nseparation: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
