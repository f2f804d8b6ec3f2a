// Experiment low_rank at tiny size, and what all experiments of parts have in common.
#include <cmath>

#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using ansatz::testing::ProgramResult;
using ansatz::testing::Workspace;
using Json = nlohmann::ordered_json;

namespace {

const char* const kConfig = R"(
experiment: low_rank
findings:
  differs: everything is small
  expected:
    - {name: signs.rfm_truth_pearson, paper: 1, source: Fig. 16b, at_least: 0.9}
    - {name: signs.laplace_r2, at_most: -5}
rfm: {ridge: 0, iterations: 2, gradient_samples: all}
kernel_machines: [{label: laplace, ridge: 0}]
parts:
  - name: signs
    dataset: {name: low_rank, target: x1x2, dimension: 8, input_distribution: rademacher, input_noise_variance: 0.01,
              train_size: 200, test_size: 100}
  - name: hermite
    dataset: {name: low_rank, target: he2_he4, dimension: 6, train_size: 150, test_size: 100}
    network: {hidden_layers: [16], epochs: 3, optimizer: {name: adam}, batch_size: full}
)";

const Json& finding(const Json& metrics, const std::string& name) {
  for (const Json& f : metrics.at("findings").at("list"))
    if (f.at("name") == name) return f;
  FAIL("no finding " << name);
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("experiment low_rank: a comparison a part, findings beside the paper's, figures and one report") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  const ProgramResult result = work.run({"run", "c.yaml", "--out", "out"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find("everything is small") != std::string::npos);

  const Json metrics = Json::parse(work.read("out/metrics.json"));
  CHECK(metrics.at("parts") == Json({"signs", "hermite"}));
  const Json likeness = finding(metrics, "signs.rfm_truth_pearson");
  CHECK(likeness.at("value").get<double>() > 0.9);
  CHECK(likeness.at("paper") == 1);
  CHECK(likeness.at("verdict") == "unclear");  // one run
  CHECK_FALSE(finding(metrics, "hermite.network_r2").contains("verdict"));

  // A part's numbers are those of its own run.
  const Json part = Json::parse(work.read("out/parts/signs/metrics.json"));
  CHECK(part.at("models").at("rfm").at("test").at("r2") == finding(metrics, "signs.rfm_r2").at("value"));
  // Gains are over the best of all others; shares those of the feature matrices in the target's subspace.
  const auto value = [&](const std::string& name) { return finding(metrics, name).at("value").get<double>(); };
  CHECK(value("signs.rfm_r2_gain") == Approx(value("signs.rfm_r2") - value("signs.laplace_r2")));
  CHECK(value("hermite.rfm_r2_gain") ==
        Approx(value("hermite.rfm_r2") - std::max(value("hermite.network_r2"), value("hermite.laplace_r2"))));
  CHECK(value("hermite.features_r2_gain") ==
        Approx(std::min(value("hermite.rfm_r2"), value("hermite.network_r2")) - value("hermite.laplace_r2")));
  const Json hermite = Json::parse(work.read("out/parts/hermite/metrics.json"));
  CHECK(value("hermite.network_train_r2") == hermite.at("models").at("network").at("train").at("r2").get<double>());
  CHECK(value("signs.rfm_subspace_share") > 80);  // of equal entries: 25
  CHECK(value("hermite.rfm_share_gain") ==
        Approx(value("hermite.rfm_subspace_share") - value("hermite.network_subspace_share")));
  for (const char* file :
       {"images/features_signs.png", "images/features_hermite.svg", "parts/hermite/images/training.png"})
    CHECK(std::filesystem::exists(work.path() / "out" / file));
  work.write("other.yaml", "findings: {differs: new words, expected: [{name: signs.rfm_r2, at_least: 0.5}]}\n");
  const ProgramResult again = work.run({"judge-again", "other.yaml", "out"});
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  const Json anew = Json::parse(again.out);
  CHECK(anew.at("differs") == "new words");
  CHECK(anew.at("list").size() == metrics.at("findings").at("list").size());
  CHECK(finding({{"findings", anew}}, "signs.rfm_r2").at("verdict") == "unclear");
  CHECK_FALSE(finding({{"findings", anew}}, "signs.rfm_truth_pearson").contains("verdict"));
  const std::string page = work.read("out/report.html");
  CHECK(page.find("Beside the paper") != std::string::npos);
  CHECK(page.find("all of hermite") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(work.path() / "out/parts/signs/state"));
}

TEST_CASE("experiments of parts: what is wrong is said before anything is written") {
  const Workspace work;
  const auto refused = [&](const std::string& config, const std::string& words) {
    work.write("c.yaml", config);
    const ProgramResult result = work.run({"run", "c.yaml", "--out", "out"});
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(words) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(work.path() / "out"));
  };
  const std::string part = "parts: [{name: a, dataset: {name: low_rank}}]\nrfm: {iterations: 1}\n";
  refused("experiment: low_rank\nrfm: {iterations: 1}\n", "parts");
  refused("experiment: low_rank\nparts: [{name: a/b, dataset: {name: low_rank}}]\nrfm: {iterations: 1}\n", "c.yaml:2:");
  refused("experiment: low_rank\n" + part + "findings: {expected: [{name: a.rfm_r, at_least: 1}]}\n", "a.rfm_r2");
  refused("experiment: low_rank\nparts: [{name: a, dataset: {name: mnist}}]\nrfm: {iterations: 1}\n", "low_rank");
  refused("experiment: low_rnak\n" + part, "low_rank");
}
