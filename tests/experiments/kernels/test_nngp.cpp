// Networks of finite width beside their limits, and these as Gaussian processes.
#include <cmath>

#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("nngp: kernels of networks approach their limits, and intervals hold what they promise") {
  const Workspace work;
  work.write("c.yaml",
             "experiment: nngp\nseed: 1\n"
             "nngp: {dimension: 5, points: 6, widths: [16, 64, 256], trials: 12, functions: 100, samples: 60, "
             "regressions: 3}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  for (const std::string activation : {"relu", "erf", "linear"})
    for (const std::string kernel : {"nngp", "ntk"}) {
      INFO(activation << "." << kernel);
      CHECK(finding(metrics, activation + "." + kernel + ".slope") == Approx(-0.5).margin(0.2));
      CHECK(standard_error(metrics, activation + "." + kernel + ".slope") > 0);
      CHECK(finding(metrics, activation + "." + kernel + ".error") < 0.4);
    }
  for (const int percent : {50, 90}) {
    const std::string name = "functions.share_" + std::to_string(percent);
    CHECK(std::abs(finding(metrics, name) - percent / 100.0) < 4 * standard_error(metrics, name) + 0.005);
  }
  CHECK(finding(metrics, "regression.share_90") > finding(metrics, "regression.share_50"));
  CHECK(finding(metrics, "regression.noise_ratio") > 0);
  CHECK(std::filesystem::exists(work.path() / "r/images/nngp.svg"));
  CHECK(std::filesystem::exists(work.path() / "r/images/gaussian_process.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("nngp: keys that make no sense are refused") {
  const Workspace work;
  for (const char* keys : {"depth: 0", "widths: [64]", "bias_std: -1", "noise: 0", "functions: 1", "observations: 0"}) {
    work.write("c.yaml", std::string("experiment: nngp\nnngp: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
