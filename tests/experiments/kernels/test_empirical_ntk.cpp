#include <Eigen/Cholesky>

#include "experiments/kernels/tangents_between.h"
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

TEST_CASE("empirical_ntk: near the limit in wide networks, still in two parameterisations and not in the third") {
  const Workspace work;
  work.write(
      "c.yaml",
      "experiment: empirical_ntk\nseed: 1\n"
      "empirical_ntk: {dimension: 5, samples: 30, test_size: 50, widths: [32, 128, 512], steps: 60, trials: 4}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  CHECK(finding(metrics, "initial_distance.slope") == Approx(-0.5).margin(0.15));
  CHECK(finding(metrics, "initial_distance.error") < 0.15);
  CHECK(finding(metrics, "ntk.drift_slope") < -0.35);
  CHECK(finding(metrics, "standard.drift_slope") < -0.35);
  CHECK(finding(metrics, "mup.drift_slope") > -0.2);
  CHECK(finding(metrics, "mup.drift") > 3 * finding(metrics, "ntk.drift"));
  CHECK(finding(metrics, "mup.turned") > 3 * finding(metrics, "ntk.turned"));
  for (const std::string p : {"standard", "ntk", "mup"})
    CHECK(finding(metrics, p + ".alignment_gain") ==
          Approx(finding(metrics, p + ".alignment_after") - finding(metrics, p + ".alignment_before")).margin(1e-12));
  CHECK(standard_error(metrics, "mup.drift_slope") > 0);
  CHECK(std::filesystem::exists(work.path() / "r/images/empirical_ntk.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("ridge regression with a kernel given as numbers: the formula, whatever the kernel's scale") {
  const Matrix<double> k = random_psd(12, 12, 1), to_test = random_matrix(5, 12, 2), y = random_matrix(12, 2, 3);
  const double ridge = 0.1;
  const Matrix<double> shifted = k + ridge * k.diagonal().mean() * Matrix<double>::Identity(12, 12);
  const Matrix<double> expected = to_test * Eigen::MatrixXd(shifted).ldlt().solve(Eigen::MatrixXd(y));
  CHECK(relative_error(experiments::ridge_predictions(k, to_test, y, ridge), expected) < 1e-10);
  CHECK(relative_error(experiments::ridge_predictions(1000 * k, 1000 * to_test, y, ridge), expected) < 1e-10);
}

TEST_CASE("empirical_ntk: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"widths: [64]", "widths: [64, 32]", "rate: 1.5", "ridge: 0", "trials: 0", "dimension: 1"}) {
    work.write("c.yaml", std::string("experiment: empirical_ntk\nempirical_ntk: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
