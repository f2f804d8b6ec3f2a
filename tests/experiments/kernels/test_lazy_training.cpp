// If the linearization beside the network were another one, its distance would not fall faster than the way itself.
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("lazy_training: parameters move as 1/alpha and leave the linearization as its square") {
  const Workspace work;
  work.write("c.yaml",
             "experiment: lazy_training\nseed: 1\n"
             "lazy_training: {dimension: 4, samples: 20, test_size: 40, width: 20, scales: [0.5, 20, 40, 80], "
             "slopes_from: 20, steps: 50}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  CHECK(finding(metrics, "moved.slope") == Approx(-1).margin(0.05));
  CHECK(finding(metrics, "from_linear.slope") == Approx(-2).margin(0.1));
  CHECK(finding(metrics, "outputs.slope") == Approx(-1).margin(0.1));
  CHECK(standard_error(metrics, "from_linear.slope") > 0);
  CHECK(finding(metrics, "feature_learning.turned") > finding(metrics, "lazy.turned"));
  CHECK(finding(metrics, "lazy.network_r2") == Approx(finding(metrics, "lazy.linear_r2")).margin(0.05));
  CHECK(std::filesystem::exists(work.path() / "r/images/lazy_training.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("lazy_training: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"scales: [1]", "scales: [2, 1]", "scales: [0, 1]", "scales: [1, 2], slopes_from: 2",
                           "rate: 2", "activation: sine", "width: 0"}) {
    work.write("c.yaml", std::string("experiment: lazy_training\nlazy_training: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
