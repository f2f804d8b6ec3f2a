// Experiment grokking at tiny size, on noise with a star, in CIFAR-10's format.
#include <cmath>
#include <random>

#include "core/files/npy.h"
#include "tests/experiments/paper_run.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

constexpr int kSide = 16;

/// `planes` airplanes (label 0) and `trucks` trucks (label 9) of noise.
void write_part(const std::filesystem::path& file, int planes, int trucks, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> byte(0, 255);
  std::string records;
  for (int i = 0; i < planes + trucks; ++i) {
    records += i < planes ? '\0' : '\x09';
    for (int j = 0; j < 3072; ++j) records += static_cast<char>(byte(generator));
  }
  write_bytes(file, records);
}

void write_config(const Workspace& work, const std::string& experiment) {
  std::filesystem::create_directories(work.path() / "data/cifar10");
  write_part(work.path() / "data/cifar10/data_batch_1.bin", 60, 20, 1);
  write_part(work.path() / "data/cifar10/test_batch.bin", 40, 40, 2);
  work.write("a.yaml",
             "experiment: " + experiment +
                 "\n"
                 "dataset: {name: starred_planes_trucks, path: data, class_sizes: [60, 15],\n"
                 "          image_height: 16, image_width: 16}\n"
                 "network: {hidden_layers: [64], first_layer_std: 5.0e-3, batch_size: full, epochs: 100,\n"
                 "          optimizer: {name: adam, learning_rate: 3.0e-3}, evaluate_every: 10,\n"
                 "          report_epoch: last, snapshots: 5}\n"
                 "rfm: {iterations: 2, feature_matrix: diagonal}\n"
                 "save: {feature_matrices: all}\n"
                 "parts: [{name: tiny}]\n"
                 "findings: {expected: [{name: tiny.rfm_test_accuracy_after_one, paper: 99, at_least: 95}]}\n");
}

bool is_star(int row, int column) {
  static const char* const star[] = {"...#...", "..###..", "#######", ".#####.", "..###..", ".#####.", ".##.##."};
  return row >= 3 && row < 10 && column >= 7 && column < 14 && star[row - 3][column - 7] == '#';
}

/// The findings of the network are what the observations say.
void check_course(const nlohmann::ordered_json& observations, const nlohmann::ordered_json& metrics) {
  nlohmann::ordered_json fit, grok;
  for (const auto& one : observations) {
    if (fit.is_null() && one.at("seen").at("train_balanced_accuracy") == 1.0) fit = one;
    if (grok.is_null() && one.at("seen").at("test").at("accuracy") >= 0.95) grok = one;
  }
  REQUIRE_FALSE(fit.is_null());
  REQUIRE_FALSE(grok.is_null());
  const auto found = [&](const char* name) { return finding(metrics, std::string("tiny.") + name); };
  const auto percent = [](const nlohmann::ordered_json& seen, const char* which, const char* share) {
    return 100 * seen.at("seen").at(which).at(share).get<double>();
  };
  CHECK(found("network_fit_epoch") == fit.at("epoch"));
  CHECK(found("network_grok_epoch") == grok.at("epoch"));
  CHECK(found("network_grok_delay") == Approx(found("network_grok_epoch") / found("network_fit_epoch")));
  CHECK(found("network_test_accuracy_at_fit") == Approx(percent(fit, "test", "accuracy")));
  CHECK(found("network_test_gain") ==
        Approx(found("network_test_accuracy_last") - found("network_test_accuracy_at_fit")));
  for (const auto& [prefix, which] : {std::pair("network_", "weights_share"), std::pair("learned_", "learned_share")}) {
    const auto share = [&, p = std::string(prefix)](const char* name) { return found((p + name).c_str()); };
    CHECK(share("marker_share_at_fit") == Approx(percent(fit, which, "region")));
    CHECK(share("marker_share") == Approx(percent(observations.back(), which, "region")));
    CHECK(share("marker_growth") == Approx(share("marker_share") / share("marker_share_at_fit")));
    CHECK(share("other_share") == Approx(percent(observations.back(), which, "largest_other")));
    CHECK(share("marker_lead") == Approx(share("marker_share") / share("other_share")));
  }
  CHECK(found("learned_marker_lead") > 1);
}

}  // namespace

TEST_CASE("grokking: the star is found, the test set is watched, and the numbers are those of the arrays") {
  const Workspace work;
  write_config(work, "grokking");
  const auto metrics = metrics_of_run(work, "a.yaml", "g");
  CHECK(finding(metrics, "tiny.rfm_test_accuracy_after_one") > 95);
  const auto rfm = work.metrics("g/parts/tiny").at("models").at("rfm").at("per_iteration");
  CHECK(finding(metrics, "tiny.rfm_test_accuracy_before") ==
        Approx(100 * rfm.at(0).at("test").at("accuracy").get<double>()));
  CHECK(metrics.at("findings").at("list").at(3).at("verdict") == "holds");

  const Matrix<float> diagonal = read_npy<float>(work.path() / "g/parts/tiny/matrices/rfm.M2.diagonal.npy");
  double on = 0, all = 0;
  for (int i = 0; i < diagonal.size(); ++i) {
    all += static_cast<double>(diagonal.data()[i]);
    if (is_star(i / kSide % kSide, i % kSide)) on += static_cast<double>(diagonal.data()[i]);
  }
  CHECK(finding(metrics, "tiny.rfm_marker_share") == Approx(100 * on / all).epsilon(1e-5));
  CHECK(on / all > 0.5);  // 28 of 256 pixels

  const auto network = work.metrics("g/parts/tiny").at("models").at("network");
  REQUIRE(network.at("observations").size() == 11);  // epochs 0, 10, ..., 100
  CHECK(network.at("observations").at(1).at("epoch") == 10);
  CHECK(network.at("observations").back().at("seen").at("test") == network.at("test"));
  CHECK(finding(metrics, "tiny.network_test_accuracy_last") ==
        Approx(100 * network.at("test").at("accuracy").get<double>()));
  check_course(network.at("observations"), metrics);
  CHECK(std::filesystem::exists(work.path() / "g/images/grokking_tiny.svg"));
  CHECK(work.read("g/report.html").find("share of the RFM") != std::string::npos);
}

TEST_CASE("grokking: a run that was stopped goes on to the same numbers, observations too") {
  const Workspace work;
  write_config(work, "grokking");
  REQUIRE(work.run({"run", "a.yaml", "--out", "whole", "--quiet"}).exit_code == 0);
  ansatz::testing::ProgramLimits stop;
  stop.interrupt_when = "cut/parts/tiny/state/network.observed.20.json";
  const ProgramResult cut = work.run({"run", "a.yaml", "--out", "cut", "--quiet"}, stop);
  INFO(cut.err);
  const ProgramResult on = work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"});
  INFO(on.err);
  REQUIRE(on.exit_code == 0);
  CHECK(work.results("cut/parts/tiny") == work.results("whole/parts/tiny"));
  CHECK(work.results("cut") == work.results("whole"));
}

TEST_CASE("grokking: the config says which test accuracy counts") {
  const Workspace work;
  write_config(work, "grokking");
  const std::vector<std::string> lowered = {
      "run", "a.yaml", "--out", "g", "--quiet", "--set", "grokking.generalizes=0"};
  REQUIRE(work.run(lowered).exit_code == 0);
  const auto metrics = work.metrics("g");
  CHECK(finding(metrics, "tiny.network_grok_epoch") == 0);
  CHECK(metrics.dump().find("epoch at which its test accuracy reaches 0 %") != std::string::npos);
  CHECK(work.run({"plan", "a.yaml", "--set", "grokking.generalizes=101"}).exit_code == 2);
}

TEST_CASE("grokking: a part may be an RFM alone, and without a ridge one update is enough") {
  const Workspace work;
  write_config(work, "grokking");
  const std::string config = work.read("a.yaml");
  const std::size_t network = config.find("network:"), rfm = config.find("rfm:");
  work.write("a.yaml", config.substr(0, network) + config.substr(rfm));
  const auto run = work.run({"run", "a.yaml", "--out", "g", "--quiet", "--set", "rfm.ridge=0"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto metrics = work.metrics("g");
  CHECK(finding(metrics, "tiny.rfm_train_accuracy_least") == 100);
  CHECK(finding(metrics, "tiny.rfm_test_accuracy_after_one") == 100);
  CHECK(finding(metrics, "tiny.rfm_test_accuracy_last") == 100);
  CHECK(finding(metrics, "tiny.marker_area") == Approx(100 * 28.0 / 256));
  CHECK(metrics.at("findings").at("list").size() == 6);
  CHECK(std::filesystem::exists(work.path() / "g/images/grokking_tiny.svg"));
}

TEST_CASE("grokking: other data, or no RFM, is refused before anything starts") {
  const Workspace work;
  work.write("a.yaml", "experiment: grokking\ndataset: {name: low_rank}\nrfm: {}\nnetwork: {}\nparts: [{name: a}]\n");
  const ProgramResult run = work.run({"run", "a.yaml", "--out", "g"});
  CHECK(run.exit_code == 2);
  CHECK(run.err.find("starred_planes_trucks") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(work.path() / "g"));
}
