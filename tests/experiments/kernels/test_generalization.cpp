// The experiment in small: estimates of the test error go along with it.
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("generalization: leave-one-out and GCV know the test error, and the RFM aligns its kernel") {
  const Workspace work;
  work.write("c.yaml",
             "experiment: generalization\nseed: 1\n"
             "generalization: {dimension: 5, sizes: [40, 120], noises: [0, 0.5], test_size: 400, rfm_iterations: 2, "
             "trials: 2}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  for (const std::string estimate : {"leave_one_out", "gcv"}) {
    INFO(estimate);
    CHECK(finding(metrics, estimate + ".rank_correlation") > 0.6);
    CHECK(finding(metrics, estimate + ".ratio") == Approx(1).margin(0.6));  // few rows
    CHECK(standard_error(metrics, estimate + ".rank_correlation") > 0);
  }
  CHECK(finding(metrics, "rfm.alignment_gain") > 0);
  for (const std::string kernel : {"laplace", "gaussian", "ntk", "rfm"})
    CHECK(finding(metrics, "spectrum." + kernel) < -0.5);
  CHECK(finding(metrics, "spectrum.gaussian") < finding(metrics, "spectrum.laplace"));  // smooth: falls faster
  CHECK(std::filesystem::exists(work.path() / "r/images/generalization.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("generalization: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"sizes: [100]", "sizes: [2, 100]", "noises: [-1]", "ridge: 0", "rfm_iterations: 0"}) {
    work.write("c.yaml", std::string("experiment: generalization\ngeneralization: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
