#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

namespace {

const std::string kConfig =
    "experiment: feature_learning\nprecision: float64\n"
    "dataset: {name: low_rank, dimension: 6, train_size: 60, test_size: 80, validation_size: 0}\n"
    "network: {hidden_layers: [4], initialization: ntk, batch_size: full, epochs: 60, optimizer: {learning_rate: "
    "0.02}}\n"
    "feature_learning: {widths: [16, 128, 1024], kernel_rows: 40}\n";

}  // namespace

TEST_CASE("feature_learning: features and kernel move less the wider the network, and each width has its row") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  const auto metrics = metrics_of_run(work, "c.yaml", "r");
  CHECK(finding(metrics, "drift.slope") < -0.3);
  CHECK(standard_error(metrics, "drift.slope") > 0);
  CHECK(finding(metrics, "turned.slope") < -0.6);
  CHECK(finding(metrics, "narrow.turned") > 5 * finding(metrics, "wide.turned"));
  CHECK(finding(metrics, "wide.weight_cosine") > finding(metrics, "narrow.weight_cosine"));
  CHECK(finding(metrics, "wide.hidden_alignment") > 0.99);
  CHECK(std::isfinite(finding(metrics, "wide.after_kernel_r2")));
  const std::string table = work.read("r/widths.csv");
  CHECK(table.rfind("width,network_r2,", 0) == 0);
  CHECK(table.find("\n128,") != std::string::npos);
  CHECK(std::filesystem::exists(work.path() / "r/images/feature_learning.svg"));
  CHECK(work.run({"plan", "c.yaml"}).exit_code == 0);
}

TEST_CASE("feature_learning: an RFM beside the network, none at all, and widths that do not grow are refused") {
  const Workspace work;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"network:", "rfm: {bandwidth: 5}\nnetwork:"},
                                 {"hidden_layers: [4]", "hidden_layers: []"},
                                 {"widths: [16, 128, 1024]", "widths: [16, 8]"},
                                 {"kernel_rows: 40", "kernel_rows: 1"}}) {
    std::string config = kConfig;
    config.replace(config.find(from), from.size(), to);
    work.write("c.yaml", config);
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "r", "--quiet"});
    INFO(to << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find("c.yaml:") != std::string::npos);
  }
}
