#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

namespace {

double test_r2(const nlohmann::ordered_json& model) { return model.at("test").at("r2").get<double>(); }

}  // namespace

// The paper's Fig. 16a-c, at its full size: what the models of the low-rank task x1 x2 must do.
TEST_CASE("low rank x1 x2: RFM and network find the two coordinates, fixed kernels do not") {
  const Workspace work;
  const ProgramResult run =
      work.run({"run", std::string(ANSATZ_CONFIGS) + "/low_rank_x1x2.yaml", "--out", "x1x2", "--quiet", "--set",
                "report=false", "--set", "save.images=false", "--set", "save.feature_matrices=all"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto models = work.metrics("x1x2").at("models");
  CHECK(test_r2(models.at("rfm").at("per_iteration").at(1)) > 0.99);
  CHECK(test_r2(models.at("network")) > 0.98);
  CHECK(test_r2(models.at("ntk1")) < 0.95);
  CHECK(test_r2(models.at("laplace")) < 0.7);
  for (const auto& pair : work.metrics("x1x2").at("comparisons")) {
    // Both diagonals agree with that of the expected gradient outer product, diag(1, 1, 0, ...).
    if (pair.at("b") == "truth" && pair.at("a") != "network.nfm0")
      CHECK(pair.at("diagonal_pearson").get<double>() > 0.98);
  }
}

TEST_CASE("repeats: mean and standard deviation over seeds") {
  const Workspace work;
  work.write("a.yaml",
             "dataset: {name: low_rank, dimension: 10, train_size: 100, test_size: 100}\nrfm: {iterations: "
             "1}\nrepeats: 3\nseed: 4\n");
  const auto summary = metrics_of_run(work, "a.yaml", "r");
  CHECK(summary.at("seeds") == nlohmann::ordered_json({4, 5, 6}));
  const auto r2 = summary.at("summary").at("models.rfm.test.r2");
  double mean = 0;
  for (int i = 1; i <= 3; ++i)
    mean += test_r2(work.metrics("r/repeat-" + std::to_string(i)).at("models").at("rfm")) / 3;
  CHECK(r2.at("mean").get<double>() == Approx(mean).epsilon(1e-12));
  CHECK(r2.at("sd").get<double>() > 0);
  CHECK(std::filesystem::exists(work.path() / "r/report.html"));
}
