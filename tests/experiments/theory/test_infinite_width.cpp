// Kernels of random networks beside the analytic ones: if one of the two were wrong, the error would level off.
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

TEST_CASE("infinite_width: both kernels approach the analytic ones as the width to the power -1/2") {
  const Workspace work;
  work.write("c.yaml",
             "experiment: infinite_width\nseed: 1\n"
             "infinite_width: {dimension: 5, points: 6, depths: [1, 2, 4], widths: [16, 64, 256, 1024], trials: 20}\n");
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  for (const std::string kernel : {"nngp", "ntk"})
    for (const std::string depth : {"1", "2", "4"}) {
      INFO(kernel << depth);
      CHECK(finding(metrics, kernel + depth + ".slope") == Approx(-0.5).margin(0.12));
      CHECK(finding(metrics, kernel + depth + ".error") < 0.15);
    }
  CHECK(finding(metrics, "nngp4.error") > finding(metrics, "nngp1.error"));
  CHECK(std::filesystem::exists(work.path() / "r/images/infinite_width.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
  // The report says what was used of conventions and glossary, and nothing of a paper that nobody asked for.
  const std::string page = work.read("r/report.html");
  CHECK(page.find("<h2>Findings</h2>") != std::string::npos);
  CHECK(page.find("Beside the paper") == std::string::npos);
  CHECK(page.find("NTK, 4 hidden layers: error at the largest width") != std::string::npos);
  CHECK(page.find("<dt>nngp</dt>") != std::string::npos);
  CHECK(page.find("<dt>laplace</dt>") == std::string::npos);
  CHECK(page.find("<b>RFM</b>") == std::string::npos);
}

TEST_CASE("infinite_width: depths and widths that make no sense are refused") {
  const Workspace work;
  for (const char* keys :
       {"depths: []", "depths: [2, 1]", "depths: [0]", "widths: [64]", "widths: [64, 32]", "trials: 0"}) {
    work.write("c.yaml", std::string("experiment: infinite_width\ninfinite_width: {") + keys + "}\n");
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(keys << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:2") != std::string::npos);
  }
}
