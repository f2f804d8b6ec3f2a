// The experiment in small: rates of errors, and the findings that stand beside each other.
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("random_features: errors fall as one over the root of the number of features") {
  const Workspace work;
  work.write(
      "c.yaml",
      "experiment: random_features\nseed: 1\n"
      "random_features: {dimension: 4, points: 10, features: [64, 256, 1024], samples: 50, test_size: 40, ridge: 1, "
      "rfm_iterations: 1, trials: 8}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  for (const std::string kernel : {"gaussian", "laplace", "nngp", "gaussian_orthogonal", "product_laplace", "cauchy"}) {
    INFO(kernel);
    CHECK(finding(metrics, kernel + ".slope") == Approx(-0.5).margin(0.12));
    CHECK(finding(metrics, kernel + ".error") < 0.1);
    CHECK(standard_error(metrics, kernel + ".slope") > 0);
  }
  CHECK(finding(metrics, "gaussian_predictions.slope") == Approx(-0.5).margin(0.15));
  CHECK(finding(metrics, "orthogonal.error_ratio") ==
        Approx(finding(metrics, "gaussian_orthogonal.error") / finding(metrics, "gaussian.error")));
  CHECK(finding(metrics, "rfm.matrix_cosine") > 0.9);
  CHECK(std::abs(finding(metrics, "gaussian_test.excess")) < 0.1);
  CHECK(std::filesystem::exists(work.path() / "r/images/random_features.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("random_features: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"features: [64]", "features: [64, 65]", "features: [64, 32]", "ridge: 0", "bandwidth: 0",
                           "trials: 0", "dimension: 1"}) {
    work.write("c.yaml", std::string("experiment: random_features\nrandom_features: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
